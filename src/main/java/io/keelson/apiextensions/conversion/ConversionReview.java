package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.resources.fields.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One exchange with a conversion webhook: what it is asked, and what is expected of its answer. A webhook converts fields; it
 * may change labels and annotations, and no other metadata. Immutable.
 *
 * @param uid tells the answer to this question from others
 * @param originals in other versions than the desired one
 * @see <a href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/">
 *     Versions in CustomResourceDefinitions</a>
 */
record ConversionReview(String apiVersion, String uid, List<ObjectNode> originals, String desired) {
    private static final String KIND = "ConversionReview";

    /** Says what is wrong with an answer, after the words that name the webhook. */
    static final class BadAnswerException extends RuntimeException {
        BadAnswerException(String message) {
            super(message, null, false, false);
        }
    }

    byte[] question() {
        ObjectNode review = Json.object().put("apiVersion", apiVersion).put("kind", KIND);
        ArrayNode objects = review.putObject("request")
                .put("uid", uid)
                .put("desiredAPIVersion", desired)
                .putArray("objects");
        objects.addAll(originals);
        return Json.write(review);
    }

    /**
     * The objects of an answer, with the metadata of the originals.
     *
     * @throws BadAnswerException where it is no proper answer to this question
     */
    List<ObjectNode> converted(byte[] answer) {
        JsonNode converted = successful(parsed(answer)).path("convertedObjects");
        if (converted.size() != originals.size()) {
            throw new BadAnswerException(" returned " + converted.size() + " objects, expected " + originals.size());
        }
        var objects = new ArrayList<ObjectNode>(converted.size());
        for (int i = 0; i < converted.size(); i++) {
            try {
                objects.add(checked(originals.get(i), converted.get(i)));
            } catch (BadAnswerException e) {
                throw new BadAnswerException(
                        " returned invalid converted object at index " + i + ": " + e.getMessage());
            }
        }
        return objects;
    }

    private static JsonNode parsed(byte[] answer) {
        try {
            return Json.parse(answer);
        } catch (BadJsonException e) {
            throw failed("the answer is no JSON: " + e.getMessage());
        }
    }

    private static BadAnswerException failed(String why) {
        return new BadAnswerException(" failed: " + why);
    }

    private JsonNode successful(JsonNode review) {
        String version = review.path("apiVersion").asText();
        String kind = review.path("kind").asText();
        if (!version.equals(apiVersion) || !kind.equals(KIND)) {
            throw failed("expected webhook response of " + named(apiVersion, KIND) + ", got " + named(version, kind));
        }
        JsonNode response = review.path("response");
        if (!response.isObject()) {
            throw failed("no response provided");
        }
        if (!response.path("uid").asText().equals(uid)) {
            throw failed("expected response.uid=\"" + uid + "\", got \""
                    + response.path("uid").asText() + "\"");
        }
        JsonNode result = response.path("result");
        String status = result.path("status").asText();
        if (!status.equals("Success")) {
            String message = result.path("message").asText();
            throw failed(message.isEmpty() ? "response.result.status was '" + status + "', not 'Success'" : message);
        }
        return response;
    }

    /** How errors name a kind, as in {@code example.com/v1, Kind=Widget}. */
    static String named(String apiVersion, String kind) {
        return apiVersion + ", Kind=" + kind;
    }

    private ObjectNode checked(ObjectNode original, JsonNode answer) {
        if (!(answer instanceof ObjectNode converted)) {
            throw new BadAnswerException("it is no object");
        }
        String version = converted.path("apiVersion").asText();
        if (!version.equals(desired)) {
            throw new BadAnswerException("invalid groupVersion (expected " + desired + ", received " + version + ")");
        }
        String kind = original.path("kind").asText();
        if (!converted.path("kind").asText().equals(kind)) {
            throw new BadAnswerException("invalid kind (expected " + kind + ", received "
                    + converted.path("kind").asText() + ")");
        }
        if (!(converted.path("metadata") instanceof ObjectNode metadata)) {
            throw new BadAnswerException("missing metadata in converted object");
        }
        ObjectNode former = original.path("metadata") instanceof ObjectNode there ? there : Json.object();
        same(former, metadata, "name", "name");
        same(former, metadata, "namespace", "namespace");
        same(former, metadata, "uid", "UID");
        converted.set("metadata", restored(former, metadata));
        return converted;
    }

    private static void same(JsonNode former, JsonNode now, String field, String word) {
        String wanted = former.path(field).asText();
        String given = now.path(field).asText();
        if (!given.equals(wanted)) {
            throw new BadAnswerException("must have the same " + word + ": " + wanted + " != " + given);
        }
    }

    /** The metadata as it was, with the labels and annotations that the webhook has given. */
    private static ObjectNode restored(ObjectNode former, ObjectNode given) {
        ObjectNode metadata = former.deepCopy();
        for (String field : List.of("labels", "annotations")) {
            JsonNode texts = given.path(field);
            if (texts.isMissingNode() || texts.isNull()) {
                metadata.remove(field);
                continue;
            }
            checkTexts(field, texts);
            if (field.equals("labels") && !texts.equals(former.path(field))) {
                checkLabels(texts);
            }
            metadata.set(field, texts);
        }
        return metadata;
    }

    private static void checkTexts(String field, JsonNode texts) {
        if (!texts.isObject()) {
            throw new BadAnswerException("metadata." + field + " must be an object in converted object");
        }
        for (var text : texts.properties()) {
            if (!text.getValue().isTextual()) {
                throw new BadAnswerException(
                        "metadata." + field + "[" + text.getKey() + "] must be a string in converted object");
            }
        }
    }

    private static void checkLabels(JsonNode labels) {
        var faults = new Faults();
        faults.labels("metadata.labels", labels);
        if (!faults.none()) {
            throw new BadAnswerException(
                    faults.list().stream().map(FieldError::text).collect(Collectors.joining(", ")));
        }
    }
}
