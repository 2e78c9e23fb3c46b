package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.Patterns;
import io.keelson.resources.fields.Faults;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules that every node of an {@code openAPIV3Schema} keeps, whatever it is used for: which words there are, and how those
 * about lists and maps go together.
 */
final class SchemaRules {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> LIST_TYPES = List.of("atomic", "map", "set");
    private static final List<String> MAP_TYPES = List.of("atomic", "granular");
    private static final List<String> UNSUPPORTED = List.of("definitions", "dependencies", "patternProperties");
    private static final List<String> METADATA_FIELDS = List.of("metadata", "apiVersion", "kind");

    private final Faults faults;

    SchemaRules(Faults faults) {
        this.faults = faults;
    }

    /** What a place in the schema allows less than others. */
    private record Place(boolean root, boolean insideMeta, String noDefaults) {
        private static final Place ROOT = new Place(true, false, "");

        Place below() {
            return new Place(false, insideMeta, noDefaults);
        }

        Place belowMeta(String field) {
            return new Place(false, true, root ? "in top-level " + field : noDefaults);
        }
    }

    void judge(JsonNode schema, Path path) {
        node(schema, path, Place.ROOT);
    }

    private void node(JsonNode schema, Path path, Place place) {
        if (!schema.isObject()) {
            return;
        }
        words(schema, path, place);
        additional(schema, path, place);
        boolean meta =
                place.root() || schema.path("x-kubernetes-embedded-resource").asBoolean();
        for (var property : schema.path("properties").properties()) {
            String name = property.getKey();
            Place below = meta && METADATA_FIELDS.contains(name) ? place.belowMeta(name) : place.below();
            node(property.getValue(), path.child("properties").key(name), below);
        }
        node(schema.path("not"), path.child("not"), place.below());
        for (String junctor : List.of("allOf", "oneOf", "anyOf")) {
            for (int i = 0; i < schema.path(junctor).size(); i++) {
                node(schema.path(junctor).path(i), path.child(junctor).index(i), place.below());
            }
        }
        node(schema.path("items"), path.child("items"), place.below());
        extensions(schema, path);
    }

    private void words(JsonNode schema, Path path, Place place) {
        if (schema.has("default") && !place.noDefaults().isEmpty()) {
            forbidden(path, "default", "must not be set " + place.noDefaults());
        }
        if (!text(schema, "id").isEmpty()) {
            forbidden(path, "id", "id is not supported");
        }
        if (schema.has("additionalItems")) {
            forbidden(path, "additionalItems", "additionalItems is not supported");
        }
        for (String word : UNSUPPORTED) {
            if (!schema.path(word).isEmpty()) {
                forbidden(path, word, word + " is not supported");
            }
        }
        if (schema.has("$ref")) {
            forbidden(path, "$ref", "$ref is not supported");
        }
        String type = text(schema, "type");
        if (type.equals("null")) {
            forbidden(path, "type", "type cannot be set to null, use nullable as an alternative");
        } else if (!type.isEmpty()) {
            faults.oneOf(at(path, "type"), schema.path("type"), TYPES);
        }
        if (schema.path("items").isArray()) {
            forbidden(path, "items", "items must be a schema object and not an array");
        }
        if (place.insideMeta() && schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            forbidden(path, "x-kubernetes-embedded-resource", "must not be used inside of resource meta");
        }
        if (schema.path("uniqueItems").asBoolean()) {
            forbidden(
                    path,
                    "uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        String pattern = text(schema, "pattern");
        String fault = pattern.isEmpty() ? null : Patterns.fault(pattern);
        if (fault != null) {
            faults.invalid(at(path, "pattern"), pattern, "must be a valid regular expression, but isn't: " + fault);
        }
    }

    private void additional(JsonNode schema, Path path, Place place) {
        JsonNode additional = schema.get("additionalProperties");
        if (additional == null) {
            return;
        }
        if (!schema.path("properties").isEmpty() && (additional.isObject() || !additional.asBoolean())) {
            forbidden(path, "additionalProperties", "additionalProperties and properties are mutual exclusive");
        }
        if (place.root()) {
            forbidden(path, "additionalProperties", "additionalProperties cannot be used at the root");
        }
        node(additional, path.child("additionalProperties"), place.below());
    }

    private void extensions(JsonNode schema, Path path) {
        JsonNode preserve = schema.path("x-kubernetes-preserve-unknown-fields");
        if (preserve.isBoolean() && !preserve.asBoolean()) {
            faults.invalid(at(path, "x-kubernetes-preserve-unknown-fields"), preserve, "must be true or undefined");
        }
        typed(schema, path, "x-kubernetes-map-type", "object", MAP_TYPES);
        typed(schema, path, "x-kubernetes-list-type", "array", LIST_TYPES);
        JsonNode listType = schema.path("x-kubernetes-list-type");
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        if (!keys.isEmpty() && listType.isMissingNode()) {
            faults.required(
                    at(path, "x-kubernetes-list-type"), "must be map if x-kubernetes-list-map-keys is non-empty");
        } else if (!keys.isEmpty() && !listType.asText().equals("map")) {
            faults.invalid(
                    at(path, "x-kubernetes-list-type"),
                    listType,
                    "must be map if x-kubernetes-list-map-keys is non-empty");
        }
        switch (listType.asText()) {
            case "map" -> map(schema, path);
            case "set" -> set(schema, path);
            default -> {}
        }
    }

    private void typed(JsonNode schema, Path path, String word, String type, List<String> known) {
        JsonNode value = schema.path(word);
        if (value.isMissingNode()) {
            return;
        }
        String given = text(schema, "type");
        if (given.isEmpty()) {
            faults.required(at(path, "type"), "must be " + type + " if " + word + " is specified");
        } else if (!given.equals(type)) {
            faults.invalid(at(path, "type"), given, "must be " + type + " if " + word + " is specified");
        }
        faults.oneOf(at(path, word), value, known);
    }

    private void set(JsonNode schema, Path path) {
        JsonNode items = schema.path("items");
        JsonNode listType = items.path("x-kubernetes-list-type");
        JsonNode mapType = items.path("x-kubernetes-map-type");
        String why = "must be atomic as item of a list with x-kubernetes-list-type=set";
        if (text(items, "type").equals("array")
                && !listType.isMissingNode()
                && !listType.asText().equals("atomic")) {
            faults.invalid(at(path.child("items"), "x-kubernetes-list-type"), listType, why);
        }
        if (text(items, "type").equals("object") && !mapType.asText().equals("atomic")) {
            faults.invalid(at(path.child("items"), "x-kubernetes-map-type"), mapType, why);
        }
        nullableItems(items, path, "set");
    }

    private void nullableItems(JsonNode items, Path path, String listType) {
        if (items.path("nullable").asBoolean()) {
            forbidden(path.child("items"), "nullable", "cannot be nullable when x-kubernetes-list-type is " + listType);
        }
    }

    private void map(JsonNode schema, Path path) {
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        if (keys.isEmpty()) {
            faults.required(
                    at(path, "x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map");
        }
        JsonNode items = schema.path("items");
        if (!items.isObject()) {
            faults.required(at(path, "items"), "must have a schema if x-kubernetes-list-type is map");
            return;
        }
        if (!text(items, "type").equals("object")) {
            faults.invalid(
                    at(path.child("items"), "type"),
                    text(items, "type"),
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (JsonNode key : keys) {
            key(schema, key.asText(), path);
            if (!seen.add(key.asText())) {
                faults.invalid(at(path, "x-kubernetes-list-map-keys"), keys, "must not contain duplicate entries");
            }
        }
        nullableItems(items, path, "map");
    }

    private void key(JsonNode schema, String key, Path path) {
        JsonNode items = schema.path("items");
        JsonNode property = items.path("properties").path(key);
        if (property.isMissingNode()) {
            faults.invalid(
                    at(path, "x-kubernetes-list-map-keys"),
                    schema.path("x-kubernetes-list-map-keys"),
                    "entries must all be names of item properties");
            return;
        }
        Path place = path.child("items").child("properties").key(key);
        String type = text(property, "type");
        if (type.equals("array") || type.equals("object")) {
            faults.invalid(
                    at(place, "type"),
                    text(items, "type"),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map");
        }
        if (!property.has("default") && !contains(items.path("required"), key)) {
            faults.required(
                    at(place, "default"),
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property");
        }
        if (property.path("nullable").asBoolean()) {
            forbidden(place, "nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
        }
    }

    private static boolean contains(JsonNode texts, String wanted) {
        for (JsonNode text : texts) {
            if (text.asText().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private void forbidden(Path path, String word, String why) {
        faults.forbidden(at(path, word), why);
    }

    static String at(Path path, String word) {
        return path.child(word).toString();
    }

    static String text(JsonNode schema, String word) {
        return schema.path(word).asText();
    }

    /** A schema without what only people read. */
    static ObjectNode bare(JsonNode schema) {
        ObjectNode bare = Json.object();
        for (Map.Entry<String, JsonNode> word : schema.properties()) {
            if (!word.getKey().equals("description") && !word.getKey().equals("title")) {
                bare.set(word.getKey(), word.getValue());
            }
        }
        return bare;
    }
}
