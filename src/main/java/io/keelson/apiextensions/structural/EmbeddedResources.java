package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.FieldError;
import java.util.ArrayList;
import java.util.List;

/** The rules of whole resources inside another one: they have an apiVersion, a kind and metadata of the right form. Stateless. */
public final class EmbeddedResources {
    private EmbeddedResources() {}

    public static List<FieldError> validate(StructuralSchema schema, JsonNode resource) {
        var errors = new ArrayList<FieldError>(0);
        walk(schema, resource, Path.ROOT, errors);
        return errors;
    }

    private static void walk(StructuralSchema schema, JsonNode value, Path path, List<FieldError> errors) {
        if (value.isObject()) {
            if (schema.isEmbedded()) {
                judge(value, path, errors);
            }
            for (var field : value.properties()) {
                StructuralSchema child = schema.child(field.getKey());
                if (child != null) {
                    walk(child, field.getValue(), path.child(field.getKey()), errors);
                }
            }
        } else if (value.isArray() && schema.itemSchema() != null) {
            for (int i = 0; i < value.size(); i++) {
                walk(schema.itemSchema(), value.path(i), path.index(i), errors);
            }
        }
    }

    private static void judge(JsonNode resource, Path path, List<FieldError> errors) {
        for (String field : List.of("apiVersion", "kind")) {
            JsonNode value = resource.path(field);
            String where = path.child(field).text();
            if (!value.isMissingNode() && !value.isTextual()) {
                errors.add(FieldError.invalid(where, value, "must be a string"));
            } else if (value.asText().isEmpty()) {
                errors.add(FieldError.required(where, "must not be empty"));
            }
        }
        JsonNode metadata = resource.path("metadata");
        if (!metadata.isMissingNode() && !metadata.isObject()) {
            errors.add(FieldError.invalid(path.child("metadata").text(), metadata, "must be an object"));
        }
    }
}
