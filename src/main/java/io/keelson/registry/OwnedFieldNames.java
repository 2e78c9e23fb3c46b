package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What fields are called in the other versions of a resource, for its managedFields: who writes through a version owns the
 * fields by their names there, while owners are worked out in the stored version. Immutable and thread-safe.
 *
 * @param byVersion by the apiVersion of the other version: the stored paths, such as {@code spec.metrics}, and those there
 */
public record OwnedFieldNames(Map<String, Map<String, String>> byVersion) {
    /** Of a resource that has no versions, or the same names in all. */
    public static final OwnedFieldNames SAME = new OwnedFieldNames(Map.of());

    public OwnedFieldNames {
        byVersion = Map.copyOf(byVersion);
    }

    /** The same object with all owned fields by their stored names; the argument is not changed. */
    ObjectNode toStored(ObjectNode object) {
        return renamed(object, true);
    }

    /** The same object with owned fields by their names in the version of each owner; the argument is not changed. */
    ObjectNode fromStored(ObjectNode object) {
        return renamed(object, false);
    }

    private ObjectNode renamed(ObjectNode object, boolean toStored) {
        if (byVersion.isEmpty()
                || !(object.get("metadata") instanceof ObjectNode metadata)
                || !(metadata.get("managedFields") instanceof ArrayNode entries)) {
            return object;
        }
        ArrayNode renamed = entries.arrayNode();
        for (JsonNode entry : entries) {
            Map<String, String> names =
                    byVersion.getOrDefault(entry.path("apiVersion").asText(), Map.of());
            renamed.add(names.isEmpty() ? entry : renamed(entry, toStored ? inverse(names) : names));
        }
        ObjectNode result = object.objectNode();
        result.setAll(object);
        ObjectNode ofResult = object.objectNode();
        ofResult.setAll(metadata);
        ofResult.set("managedFields", renamed);
        result.set("metadata", ofResult);
        return result;
    }

    private static Map<String, String> inverse(Map<String, String> names) {
        var inverse = new HashMap<String, String>();
        names.forEach((stored, other) -> inverse.put(other, stored));
        return inverse;
    }

    private static JsonNode renamed(JsonNode entry, Map<String, String> names) {
        if (!(entry.deepCopy() instanceof ObjectNode copy) || !(copy.path("fieldsV1") instanceof ObjectNode fields)) {
            return entry;
        }
        var moved = new HashMap<String, JsonNode>();
        names.forEach((from, to) -> {
            ObjectNode parent = parent(fields, from);
            JsonNode field = parent == null ? null : parent.remove(last(from));
            if (field != null) {
                moved.put(to, field);
            }
        });
        moved.forEach((path, field) -> {
            ObjectNode parent = parent(fields, path);
            if (parent != null) {
                parent.set(last(path), field);
            }
        });
        return copy;
    }

    private static @Nullable ObjectNode parent(ObjectNode fields, String path) {
        List<String> steps = List.of(path.split("\\.", -1));
        ObjectNode at = fields;
        for (String step : steps.subList(0, steps.size() - 1)) {
            if (!(at.get("f:" + step) instanceof ObjectNode below)) {
                return null;
            }
            at = below;
        }
        return at;
    }

    private static String last(String path) {
        return "f:" + path.substring(path.lastIndexOf('.') + 1);
    }
}
