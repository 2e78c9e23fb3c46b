package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Fills in the values that fields have by their schema where nothing, or a null that may not be, is written. Stateless. */
public final class Defaulting {
    private Defaulting() {}

    /** Fills a resource in, but for its metadata. Returns whether anything was. */
    public static boolean apply(StructuralSchema schema, ObjectNode resource) {
        return schema.hasDefaults() && value(resource, schema);
    }

    static boolean value(JsonNode value, StructuralSchema schema) {
        if (!schema.hasDefaults()) {
            return false;
        }
        if (value instanceof ObjectNode object) {
            return object(object, schema);
        }
        boolean changed = false;
        StructuralSchema items = schema.itemSchema();
        if (value instanceof ArrayNode array && items != null) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode filled = replacement(array.get(i), items);
                if (filled != null) {
                    array.set(i, filled);
                    changed = true;
                }
                changed |= value(array.get(i), items);
            }
        }
        return changed;
    }

    private static boolean object(ObjectNode object, StructuralSchema schema) {
        boolean changed = false;
        for (var property : schema.declared()) {
            String name = property.getKey();
            if (schema.isResource() && StructuralSchema.RESOURCE_FIELDS.contains(name)) {
                continue;
            }
            JsonNode filled = replacement(object.get(name), property.getValue());
            if (filled != null) {
                object.set(name, filled);
                changed = true;
            }
            JsonNode below = object.get(name);
            changed |= below != null && value(below, property.getValue());
        }
        StructuralSchema values = schema.valueSchema();
        if (values != null) {
            for (var field : object.properties()) {
                JsonNode filled = replacement(field.getValue(), values);
                if (filled != null) {
                    field.setValue(filled);
                    changed = true;
                }
                changed |= value(field.getValue(), values);
            }
        }
        return changed;
    }

    /** The default that takes the place of a value; null where the value stays. */
    private static @Nullable JsonNode replacement(@Nullable JsonNode value, StructuralSchema schema) {
        JsonNode preset = schema.defaultValue();
        boolean empty = value == null || (value.isNull() && !schema.isNullable());
        return preset == null || !empty ? null : preset.deepCopy();
    }
}
