package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import java.util.Comparator;
import java.util.List;

/**
 * JSON patch (RFC 6902) as Kubernetes' API applies it. It differs from the RFC where clients rely on it:
 *
 * <ul>
 *   <li>{@code test} takes a missing field as null, so that a patch can ask for absence;
 *   <li>{@code replace} of a missing field sets it;
 *   <li>an operation without {@code value} means null;
 *   <li>the root can be tested and replaced by an object, nothing else.
 * </ul>
 *
 * <p>Written here and not taken from a library, because these rules, the limits on size and depth, and the answers are the
 * larger part of it. Stateless and thread-safe.
 */
public final class JsonPatch {
    /** How many operations a patch may have. */
    public static final int MAX_OPERATIONS = 10_000;

    /** How much all copy operations of a patch may add, in bytes of JSON. */
    public static final int MAX_COPIED = 3 * 1024 * 1024;

    /** How many nodes may be visited to measure what a patch's operations put in place. */
    private static final int MAX_MEASURED_NODES = 4_000_000;

    private static final Status.Details NO_DETAILS = new Status.Details("", "", "", "", List.of(), 0);

    /** Equality as {@code test} means it: numbers by value, all else as trees are equal. */
    private static final Comparator<JsonNode> BY_VALUE = (a, b) -> {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        return a.equals(b) ? 0 : 1;
    };

    private ObjectNode root;
    private int copied;
    private int measured;

    private JsonPatch(ObjectNode root) {
        this.root = root;
    }

    /**
     * Applies a patch to a copy of an object. Neither argument is changed, nor shared with the result, so that a patch can
     * be applied again to a newer state.
     *
     * @throws ApiException 400 where the patch is not an array of objects, 413 where it has too many operations, 422 where
     *     it does not apply
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        check(patch);
        try {
            return perform(original, patch);
        } catch (PatchFailure e) {
            throw ApiException.of(
                    StatusReason.INVALID, "the server rejected our request due to an error in our request", NO_DETAILS);
        }
    }

    /** Applies a patch of the right form, and says in words why it does not apply, which the API's answer does not. */
    static ObjectNode perform(ObjectNode original, JsonNode patch) {
        var run = new JsonPatch(original.deepCopy());
        for (JsonNode operation : patch) {
            run.perform(operation);
        }
        return run.root;
    }

    private static void check(JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiException.badRequest("error decoding patch: a JSON patch is an array of operations");
        }
        if (patch.size() > MAX_OPERATIONS) {
            throw ApiException.of(
                    StatusReason.REQUEST_ENTITY_TOO_LARGE,
                    "Request entity too large: The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS
                            + ", got " + patch.size());
        }
        for (JsonNode operation : patch) {
            if (!operation.isObject()) {
                throw ApiException.badRequest("error decoding patch: an operation of a JSON patch is an object");
            }
        }
    }

    private void perform(JsonNode operation) {
        String path = text(operation, "path");
        switch (text(operation, "op")) {
            case "add" -> insert(JsonPointer.parse(path), copyOf(value(operation)));
            case "remove" -> remove(JsonPointer.parse(path));
            case "replace" -> replace(path, copyOf(value(operation)));
            case "move" -> insert(JsonPointer.parse(path), remove(JsonPointer.parse(text(operation, "from"))));
            case "copy" -> copy(JsonPointer.parse(text(operation, "from")), JsonPointer.parse(path));
            case "test" -> test(path, value(operation));
            default -> throw new PatchFailure("unknown operation \"" + text(operation, "op") + "\"");
        }
    }

    private static String text(JsonNode operation, String field) {
        JsonNode value = operation.get(field);
        if (value == null || !value.isTextual()) {
            throw new PatchFailure("operation without " + field);
        }
        return value.textValue();
    }

    private static JsonNode value(JsonNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.getInstance() : value;
    }

    private static JsonNode copyOf(JsonNode value) {
        return value.deepCopy();
    }

    private void insert(JsonPointer path, JsonNode value) {
        checkDepth(path, value);
        Container.of(parent(path)).add(path.last(), value);
    }

    private JsonNode remove(JsonPointer path) {
        return Container.of(parent(path)).remove(path.last());
    }

    private void replace(String path, JsonNode value) {
        if (!path.isEmpty()) {
            JsonPointer pointer = JsonPointer.parse(path);
            checkDepth(pointer, value);
            Container.of(parent(pointer)).set(pointer.last(), value);
        } else if (value instanceof ObjectNode object) {
            root = object;
        } else {
            throw new PatchFailure("the document can be replaced by an object only");
        }
    }

    private void copy(JsonPointer from, JsonPointer path) {
        JsonNode value = Container.of(parent(from)).get(from.last());
        if (value.isMissingNode()) {
            throw new PatchFailure("nothing to copy");
        }
        copied += Json.write(value).length;
        if (copied > MAX_COPIED) {
            throw new PatchFailure("copies add more than " + MAX_COPIED + " bytes");
        }
        insert(path, copyOf(value));
    }

    private void test(String path, JsonNode expected) {
        JsonNode actual = root;
        if (!path.isEmpty()) {
            JsonPointer pointer = JsonPointer.parse(path);
            actual = Container.of(parent(pointer)).get(pointer.last());
        }
        boolean holds = actual.isMissingNode() ? expected.isNull() : actual.equals(BY_VALUE, expected);
        if (!holds) {
            throw new PatchFailure("testing value " + path + " failed");
        }
    }

    private JsonNode parent(JsonPointer path) {
        JsonNode node = root;
        for (String token : path.tokens().subList(0, path.depth() - 1)) {
            node = Container.of(node).get(token);
        }
        return node;
    }

    /** What is stored must be readable again, so a patch may not nest it deeper than a body may nest. */
    private void checkDepth(JsonPointer path, JsonNode value) {
        if (path.depth() + height(value) > Json.MAX_DEPTH) {
            throw new PatchFailure("the document would nest deeper than " + Json.MAX_DEPTH + " levels");
        }
    }

    private int height(JsonNode value) {
        if (++measured > MAX_MEASURED_NODES) {
            throw new PatchFailure("operations touch more than " + MAX_MEASURED_NODES + " values");
        }
        if (!value.isContainerNode()) {
            return 0;
        }
        int highest = 0;
        for (JsonNode child : value) {
            highest = Math.max(highest, height(child));
        }
        return highest + 1;
    }
}
