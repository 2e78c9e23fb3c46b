package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The promise of lists that are sets or maps: no item, or key, is in them twice. Stateless. */
public final class ListTypes {
    private ListTypes() {}

    /** The items and keys that are there more than once, each at its second place and later ones. */
    public static List<FieldError> duplicates(StructuralSchema schema, JsonNode resource) {
        var errors = new ArrayList<FieldError>(0);
        walk(schema, resource, Path.ROOT, errors);
        return errors;
    }

    private static void walk(StructuralSchema schema, JsonNode value, Path path, List<FieldError> errors) {
        if (value.isObject()) {
            for (var field : value.properties()) {
                StructuralSchema child = schema.child(field.getKey());
                if (child != null) {
                    walk(child, field.getValue(), path.child(field.getKey()), errors);
                }
            }
        } else if (value.isArray()) {
            list(schema, value, path, errors);
        }
    }

    private static void list(StructuralSchema schema, JsonNode list, Path path, List<FieldError> errors) {
        boolean unique = schema.listType() != Schema.ListType.ATOMIC;
        Set<JsonNode> seen = new HashSet<>();
        StructuralSchema items = schema.itemSchema();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.path(i);
            JsonNode key = unique ? key(schema, item) : null;
            if (key != null && !seen.add(key)) {
                errors.add(FieldError.duplicate(path.index(i).toString(), key));
            }
            if (items != null) {
                walk(items, item, path.index(i), errors);
            }
        }
    }

    /** What tells an item of a set or map list apart; null where nothing does. */
    static @Nullable JsonNode key(StructuralSchema list, JsonNode item) {
        if (list.listType() == Schema.ListType.SET) {
            return item;
        }
        if (list.listType() != Schema.ListType.MAP || !item.isObject()) {
            return null;
        }
        ObjectNode key = Json.object();
        for (String name : list.listMapKeys()) {
            JsonNode value = item.get(name);
            if (value != null) {
                key.set(name, value);
            }
        }
        return key;
    }

    /** The items of a map list by their keys; empty for another list. */
    static Map<JsonNode, JsonNode> byKey(StructuralSchema list, JsonNode items) {
        var byKey = new HashMap<JsonNode, JsonNode>();
        if (list.listType() == Schema.ListType.MAP && items.isArray()) {
            for (JsonNode item : items) {
                JsonNode key = key(list, item);
                if (key != null) {
                    byKey.putIfAbsent(key, item);
                }
            }
        }
        return byKey;
    }
}
