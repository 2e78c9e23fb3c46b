package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values of enumerations that there are not, outside of an object's status, which controllers write as they like.
 * An empty text counts as absent. One use an object.
 */
public final class AllowedValues {
    private final List<FieldError> errors;
    private final FieldPath path = new FieldPath();

    private AllowedValues(List<FieldError> errors) {
        this.errors = errors;
    }

    /**
     * Judges an object that has the types of its schema.
     *
     * @param errors what is wrong with the object already, to which this adds; a field is blamed once
     */
    public static void check(@Nullable Schema schema, ObjectNode object, List<FieldError> errors) {
        if (schema == null) {
            return;
        }
        var walk = new AllowedValues(errors);
        for (var field : object.properties()) {
            if (!field.getKey().equals("status") && !field.getKey().equals("metadata")) {
                walk.enter(schema, field.getKey(), schema.field(field.getKey()), field.getValue());
            }
        }
    }

    private void enter(Schema around, Object step, @Nullable Schema schema, JsonNode value) {
        if (schema == null || (!value.isContainerNode() && schema.allowed().isEmpty())) {
            return;
        }
        path.enter(around, step);
        if (value.isObject()) {
            for (var field : value.properties()) {
                enter(schema, field.getKey(), schema.field(field.getKey()), field.getValue());
            }
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                enter(schema, i, schema.items(), value.path(i));
            }
        } else if (!schema.allowed().contains(value) && !value.asText().isEmpty()) {
            blame(value, schema);
        }
        path.leave();
    }

    private void blame(JsonNode value, Schema schema) {
        String field = path.toString();
        boolean known =
                errors.stream().anyMatch(error -> field.equals(error.field()) || field.startsWith(error.field() + "["));
        if (!known) {
            List<String> allowed =
                    schema.allowed().stream().map(JsonNode::asText).toList();
            errors.add(FieldError.notSupported(field, value, allowed));
        }
    }
}
