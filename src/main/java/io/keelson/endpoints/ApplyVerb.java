package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.BadJsonException;
import io.keelson.api.FieldError;
import io.keelson.api.Yaml;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.RestStorage;
import io.keelson.schema.Decoder;
import io.keelson.schema.MalformedObjectException;
import java.util.List;

/** PATCH by server-side apply: merges the fields that a manager wants into the object, or creates it. */
final class ApplyVerb {
    private final GetVerb output;

    ApplyVerb(GetVerb output) {
        this.output = output;
    }

    void serve(Request request, RestStorage.Applier storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        // Unknown fields and those given twice are refused whatever it says; it must make sense all the same.
        var _ = FieldValidation.of(request);
        ObjectNode configuration = configuration(request, storage);
        var applied = new RestStorage.AppliedConfiguration(
                configuration, request.query().isSet("force"));
        RestStorage.Updated updated =
                storage.apply(request.context(), request.info().name(), applied);
        output.send(request, updated.created() ? 201 : 200, answer, updated.object());
    }

    private static ObjectNode configuration(Request request, RestStorage storage) {
        JsonNode tree;
        try {
            // JSON is YAML, and clients send either under this type.
            tree = Yaml.parse(request.exchange().body());
        } catch (BadJsonException e) {
            throw ApiException.badRequest("error decoding YAML: " + e.getMessage());
        }
        if (!(tree instanceof ObjectNode configuration)) {
            throw ApiException.badRequest("error decoding YAML: the configuration must be an object");
        }
        for (String field : List.of("apiVersion", "kind")) {
            if (configuration.path(field).asText().isEmpty()) {
                throw ApiException.badRequest("invalid object type: the configuration must have " + field);
            }
        }
        Bodies.checkKind(configuration, Bodies.kind(storage));
        try {
            // A copy, since what is unknown is refused with all other such fields.
            var _ = Decoder.decodeMetadata(configuration.deepCopy());
        } catch (MalformedObjectException e) {
            String fault = String.valueOf(e.getMessage());
            throw ApiException.invalid("", "", "", List.of(FieldError.invalid("patch", "", fault)));
        }
        checkName(configuration, request.info().name());
        return configuration;
    }

    private static void checkName(ObjectNode configuration, String name) {
        String given = configuration.path("metadata").path("name").asText();
        if (!given.isEmpty() && !given.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
        }
    }
}
