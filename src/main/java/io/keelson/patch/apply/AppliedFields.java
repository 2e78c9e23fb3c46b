package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields that an applied configuration names, which are those that its manager comes to own: scalars, atoms, items of
 * lists and keys of maps, but not the objects and lists around them. On the way the configuration is checked against the
 * schema, since fields that nobody has declared have no owners.
 */
final class AppliedFields {
    private final List<String> errors = new ArrayList<>();

    private AppliedFields() {}

    /**
     * The fields of a configuration.
     *
     * @param set null where there are none
     * @param errors what does not fit the schema, each with its path
     */
    record Result(@Nullable ObjectNode set, List<String> errors) {}

    static Result of(ObjectNode configuration, ObjectType type, Scope scope) {
        var walk = new AppliedFields();
        ObjectNode set = null;
        Schema schema = type.schema();
        for (var field : configuration.properties()) {
            String name = field.getKey();
            Schema below = schema == null ? null : schema.field(name);
            ObjectNode found = name.equals("metadata")
                    ? walk.map(field.getValue(), below, ".metadata", Scope::countsInMetadata)
                    : walk.field(field.getValue(), schema, name, "");
            if (scope.counts(name)) {
                set = FieldSets.with(set, PathElements.field(name), found);
            }
        }
        return new Result(set, List.copyOf(walk.errors));
    }

    private @Nullable ObjectNode field(JsonNode value, @Nullable Schema parent, String name, String parentPath) {
        String path = parentPath + "." + name;
        Schema schema = parent == null ? null : parent.field(name);
        if (parent != null && schema == null && !parent.preservesUnknownFields()) {
            errors.add(path + ": field not declared in schema");
            return null;
        }
        if (value.isNull() || (value.isObject() && value.isEmpty())) {
            return FieldSets.LEAF;
        }
        ObjectNode found = value(value, schema, path);
        boolean declared = parent != null && parent.properties().containsKey(name);
        return declared ? found : FieldSets.asMember(found);
    }

    private @Nullable ObjectNode value(JsonNode value, @Nullable Schema schema, String path) {
        String expected = schema == null ? null : mismatch(value, schema);
        if (expected != null) {
            errors.add(path + ": expected " + expected + ", got " + value);
            return null;
        }
        return switch (Structure.of(value, schema)) {
            case LEAF -> {
                checkBelow(value, schema, path);
                yield FieldSets.LEAF;
            }
            case MAP -> map(value, schema, path, name -> true);
            case LIST -> list(value, Objects.requireNonNull(schema), path);
        };
    }

    /** An atom is owned as a whole, but what is in it must be declared too. */
    private void checkBelow(JsonNode value, @Nullable Schema schema, String path) {
        if (schema == null || schema.preservesUnknownFields()) {
            return;
        }
        if (value.isObject()) {
            map(value, schema, path, name -> true);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            value(value.get(i), schema.items(), path + "[" + i + "]");
        }
    }

    private @Nullable ObjectNode map(JsonNode map, @Nullable Schema schema, String path, Predicate<String> counts) {
        ObjectNode set = null;
        for (var field : map.properties()) {
            ObjectNode found = field(field.getValue(), schema, field.getKey(), path);
            if (counts.test(field.getKey())) {
                set = FieldSets.with(set, PathElements.field(field.getKey()), found);
            }
        }
        return set;
    }

    private @Nullable ObjectNode list(JsonNode list, Schema schema, String path) {
        ObjectNode set = null;
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            String element = PathElements.item(item, schema);
            if (element == null) {
                errors.add(path + ": element " + i + ": associative list with keys has an element that omits all of "
                        + PathElements.keysOf(schema));
            } else if (set != null && set.has(element)) {
                errors.add(path + ": duplicate entries for key " + PathElements.display(element));
            } else {
                ObjectNode found = value(item, schema.items(), path + PathElements.display(element));
                set = FieldSets.with(set, element, FieldSets.asMember(found));
            }
        }
        return set;
    }

    /** What a value should be that is something else, or null. */
    private static @Nullable String mismatch(JsonNode value, Schema schema) {
        return switch (schema.type()) {
            case OBJECT -> value.isObject() || value.isNull() ? null : "map";
            case ARRAY -> value.isArray() || value.isNull() ? null : "list";
            case STRING -> value.isTextual() || value.isNull() ? null : "string";
            case BOOLEAN -> value.isBoolean() || value.isNull() ? null : "boolean";
            case INTEGER, NUMBER -> value.isNumber() || value.isNull() ? null : "numeric (int or float)";
            case INT_OR_STRING, QUANTITY -> value.isValueNode() ? null : "scalar";
            case ANY -> null;
        };
    }
}
