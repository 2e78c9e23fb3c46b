package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;

/**
 * JSON merge patch (RFC 7386): null deletes a field, objects merge, all else replaces. The result nests no deeper than the
 * deeper of the two. Stateless and thread-safe.
 */
public final class MergePatch {
    private MergePatch() {}

    /**
     * Applies a patch to a copy of an object. Neither argument is changed, nor shared with the result, so that a patch can
     * be applied again to a newer state.
     *
     * @throws ApiException 400 where the patch is not an object
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            throw ApiException.badRequest("error decoding patch: a merge patch is an object");
        }
        ObjectNode result = original.deepCopy();
        merge(result, changes);
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode changes) {
        for (var change : changes.properties()) {
            String name = change.getKey();
            JsonNode value = change.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode below) {
                merge(objectAt(target, name), below);
            } else {
                target.set(name, value.deepCopy());
            }
        }
    }

    private static ObjectNode objectAt(ObjectNode target, String name) {
        if (target.get(name) instanceof ObjectNode object) {
            return object;
        }
        ObjectNode created = Json.object();
        target.set(name, created);
        return created;
    }
}
