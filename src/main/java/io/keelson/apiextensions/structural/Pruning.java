package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drops the fields that a schema does not have, and nulls where none may be and no default takes their place. One use an
 * object.
 */
public final class Pruning {
    /** How many dropped fields are told of; all are dropped. */
    private static final int MAX_TOLD = 100;

    private final List<String> told = new ArrayList<>(0);

    private Pruning() {}

    /** Prunes a resource; returns the paths of the fields that are gone, such as {@code spec.replica}. */
    public static List<String> prune(StructuralSchema schema, ObjectNode resource) {
        var pruning = new Pruning();
        pruning.value(resource, schema, Path.ROOT);
        dropNulls(resource, schema);
        return pruning.told;
    }

    /** @param schema null where nothing is known of the value, so that no field of it is */
    private void value(JsonNode value, @Nullable StructuralSchema schema, Path path) {
        if (value instanceof ObjectNode object) {
            fields(object, schema, path);
        } else if (value.isArray()) {
            StructuralSchema items = schema == null ? null : schema.itemSchema();
            boolean open = schema != null && schema.preservesUnknownFields() && items == null;
            for (int i = 0; i < value.size() && !open; i++) {
                value(value.path(i), items, path.index(i));
            }
        }
    }

    private void fields(ObjectNode object, @Nullable StructuralSchema schema, Path path) {
        boolean open = schema != null && schema.preservesUnknownFields();
        boolean resource = schema != null && schema.isResource();
        for (var fields = object.properties().iterator(); fields.hasNext(); ) {
            var field = fields.next();
            String name = field.getKey();
            if (resource && StructuralSchema.RESOURCE_FIELDS.contains(name)) {
                continue;
            }
            StructuralSchema known = schema == null ? null : schema.child(name);
            if (known != null) {
                value(field.getValue(), known, path.child(name));
            } else if (!open) {
                tell(path.child(name));
                fields.remove();
            }
        }
    }

    private void tell(Path path) {
        if (told.size() < MAX_TOLD) {
            told.add(path.text());
        }
    }

    private static void dropNulls(JsonNode value, StructuralSchema schema) {
        if (value instanceof ObjectNode object) {
            for (var fields = object.properties().iterator(); fields.hasNext(); ) {
                var field = fields.next();
                StructuralSchema declared = schema.declared(field.getKey());
                boolean meta = schema.isResource() && field.getKey().equals("metadata");
                StructuralSchema known = declared == null ? schema.valueSchema() : declared;
                if (known == null || meta) {
                    continue;
                }
                if (declared != null && field.getValue().isNull() && !known.isNullable() && !hasDefault(known)) {
                    fields.remove();
                } else {
                    dropNulls(field.getValue(), known);
                }
            }
        } else if (value.isArray() && schema.itemSchema() != null) {
            for (JsonNode item : value) {
                dropNulls(item, schema.itemSchema());
            }
        }
    }

    private static boolean hasDefault(StructuralSchema schema) {
        return schema.defaultValue() != null;
    }
}
