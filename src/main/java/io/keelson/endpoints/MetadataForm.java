package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the metadata of an object has the JSON types that all clients rely on. Its values are judged elsewhere. Stateless. */
final class MetadataForm {
    private static final List<String> STRINGS = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "selfLink",
            "creationTimestamp",
            "deletionTimestamp");
    private static final List<String> STRING_MAPS = List.of("labels", "annotations");

    private MetadataForm() {}

    /** The first thing that is of a wrong type, in the words of Kubernetes' decoder, or null. */
    static @Nullable String fault(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        if (absent(metadata)) {
            return null;
        }
        if (!metadata.isObject()) {
            return fault(metadata, "metadata", "v1.ObjectMeta");
        }
        for (String field : STRINGS) {
            if (!absent(metadata.path(field)) && !metadata.path(field).isTextual()) {
                return fault(metadata.path(field), "metadata." + field, "string");
            }
        }
        for (String field : STRING_MAPS) {
            String fault = mapFault(metadata.path(field), "metadata." + field);
            if (fault != null) {
                return fault;
            }
        }
        String fault = listFault(metadata.path("finalizers"), "metadata.finalizers", JsonNodeType.STRING);
        return fault != null
                ? fault
                : listFault(metadata.path("ownerReferences"), "metadata.ownerReferences", JsonNodeType.OBJECT);
    }

    private static @Nullable String mapFault(JsonNode map, String path) {
        if (absent(map)) {
            return null;
        }
        if (!map.isObject()) {
            return fault(map, path, "map[string]string");
        }
        for (JsonNode value : map) {
            if (!absent(value) && !value.isTextual()) {
                return fault(value, path, "string");
            }
        }
        return null;
    }

    private static @Nullable String listFault(JsonNode list, String path, JsonNodeType items) {
        String type = items == JsonNodeType.STRING ? "string" : "v1.OwnerReference";
        if (absent(list)) {
            return null;
        }
        if (!list.isArray()) {
            return fault(list, path, "[]" + type);
        }
        for (JsonNode item : list) {
            if (item.getNodeType() != items) {
                return fault(item, path, type);
            }
        }
        return null;
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static String fault(JsonNode given, String path, String type) {
        String kind = given.isBoolean() ? "bool" : given.getNodeType().name().toLowerCase(Locale.ROOT);
        return "json: cannot unmarshal " + kind + " into Go struct field ObjectMeta." + path + " of type " + type;
    }
}
