package io.keelson.apiextensions.definition;

import static io.keelson.apiextensions.definition.SchemaRules.at;
import static io.keelson.apiextensions.definition.SchemaRules.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.apiextensions.structural.Path;
import io.keelson.resources.fields.Faults;
import java.util.List;
import java.util.Map;

/**
 * What makes a schema structural: every field has a type, logic only restricts what is declared beside it, and metadata are
 * left to the server.
 */
final class StructuralRules {
    /** Where a schema stands, in the words of what is missing when it has no type. */
    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    /** What logic may not say, and how that is told. */
    private static final Map<String, String> FORBIDDEN_IN_LOGIC = Map.ofEntries(
            Map.entry("type", "must be empty to be structural"),
            Map.entry("additionalProperties", "must be undefined to be structural"),
            Map.entry("default", "must be undefined to be structural"),
            Map.entry("title", "must be empty to be structural"),
            Map.entry("description", "must be empty to be structural"),
            Map.entry("nullable", "must be false to be structural"),
            Map.entry("x-kubernetes-preserve-unknown-fields", "must be false to be structural"),
            Map.entry("x-kubernetes-embedded-resource", "must be false to be structural"),
            Map.entry("x-kubernetes-int-or-string", "must be false to be structural"),
            Map.entry("x-kubernetes-list-map-keys", "must be empty to be structural"),
            Map.entry("x-kubernetes-list-type", "must be undefined to be structural"),
            Map.entry("x-kubernetes-map-type", "must be undefined to be structural"));

    private static final List<String> JUNCTORS = List.of("anyOf", "allOf", "oneOf");

    private final Faults faults;

    StructuralRules(Faults faults) {
        this.faults = faults;
    }

    void judge(JsonNode schema, Path path) {
        node(schema, Level.ROOT, path);
        completeness(schema, path);
    }

    private void node(JsonNode schema, Level level, Path path) {
        if (!schema.isObject()) {
            return;
        }
        if (text(schema, "type").equals("array") && !schema.path("items").isObject()) {
            faults.required(at(path, "items"), "must be specified");
        }
        node(schema.path("items"), Level.ITEM, path.child("items"));
        for (var property : schema.path("properties").properties()) {
            node(property.getValue(), Level.FIELD, path.child("properties").key(property.getKey()));
        }
        node(schema.path("additionalProperties"), Level.FIELD, path.child("additionalProperties"));
        type(schema, level, path);
        meta(schema, level, path);
        junctors(
                schema,
                path,
                intOrString(schema, "anyOf"),
                intOrString(schema.path("allOf").path(0), "anyOf"));
    }

    /** Whether a junctor spells int-or-string out, which is allowed beside the extension that says the same. */
    private static boolean intOrString(JsonNode schema, String junctor) {
        JsonNode alternatives = schema.path(junctor);
        return alternatives.size() >= 2
                && text(alternatives.path(0), "type").equals("integer")
                && text(alternatives.path(1), "type").equals("string");
    }

    private void type(JsonNode schema, Level level, Path path) {
        String type = text(schema, "type");
        boolean intOrString = schema.path("x-kubernetes-int-or-string").asBoolean();
        boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        if (isEmbedded(schema) && !type.equals("object")) {
            String why = "must be object if x-kubernetes-embedded-resource is true";
            if (type.isEmpty()) {
                faults.required(at(path, "type"), why);
            } else {
                faults.invalid(at(path, "type"), type, why);
            }
        } else if (type.isEmpty() && !intOrString && !open) {
            faults.required(at(path, "type"), "must not be empty " + level.words);
        } else if (!type.isEmpty() && intOrString) {
            faults.invalid(at(path, "type"), type, "must be empty if x-kubernetes-int-or-string is true");
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            faults.invalid(at(path, "type"), type, "must be object at the root");
        }
    }

    private static boolean isEmbedded(JsonNode schema) {
        return schema.path("x-kubernetes-embedded-resource").asBoolean();
    }

    private void meta(JsonNode schema, Level level, Path path) {
        JsonNode properties = schema.path("properties");
        boolean embedded = isEmbedded(schema);
        if (embedded && schema.has("additionalProperties")) {
            faults.forbidden(
                    at(path, "additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set");
        }
        if (embedded && !schema.path("x-kubernetes-preserve-unknown-fields").asBoolean() && properties.isEmpty()) {
            faults.required(
                    at(path, "properties"),
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
        if (level != Level.ROOT && !embedded) {
            return;
        }
        for (String field : List.of("kind", "apiVersion")) {
            JsonNode declared = properties.path(field);
            if (declared.isObject() && !text(declared, "type").equals("string")) {
                faults.invalid(
                        at(path.child("properties").key(field), "type"), text(declared, "type"), "must be string");
            }
        }
        JsonNode metadata = properties.path("metadata");
        Path place = path.child("properties").key("metadata");
        if (metadata.isObject() && !text(metadata, "type").equals("object")) {
            faults.invalid(at(place, "type"), text(metadata, "type"), "must be object");
        }
        if (level == Level.ROOT && metadata.isObject() && saysMoreThanNames(metadata)) {
            faults.forbidden(
                    place.toString(),
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private static boolean saysMoreThanNames(JsonNode metadata) {
        ObjectNode rest = SchemaRules.bare(metadata);
        rest.remove(List.of("type", "default"));
        JsonNode properties = rest.remove("properties");
        if (properties != null) {
            for (var property : properties.properties()) {
                if (!property.getKey().equals("name") && !property.getKey().equals("generateName")) {
                    return true;
                }
            }
        }
        return !rest.isEmpty();
    }

    // ---- logic

    private void junctors(JsonNode schema, Path path, boolean skipAnyOf, boolean skipFirstAllOf) {
        boolean mayRepeat = schema.path("x-kubernetes-int-or-string").asBoolean();
        for (String junctor : JUNCTORS) {
            if (junctor.equals("anyOf") && skipAnyOf && mayRepeat) {
                continue;
            }
            for (int i = 0; i < schema.path(junctor).size(); i++) {
                boolean repeats = mayRepeat && junctor.equals("allOf") && i == 0 && skipFirstAllOf;
                logic(schema.path(junctor).path(i), path.child(junctor).index(i), repeats);
            }
        }
        logic(schema.path("not"), path.child("not"), false);
    }

    private void logic(JsonNode schema, Path path, boolean repeatsIntOrString) {
        if (!schema.isObject()) {
            return;
        }
        for (String junctor : JUNCTORS) {
            if (junctor.equals("anyOf") && repeatsIntOrString) {
                continue;
            }
            for (int i = 0; i < schema.path(junctor).size(); i++) {
                logic(schema.path(junctor).path(i), path.child(junctor).index(i), false);
            }
        }
        logic(schema.path("not"), path.child("not"), false);
        logic(schema.path("items"), path.child("items"), false);
        for (var property : schema.path("properties").properties()) {
            logic(property.getValue(), path.child("properties").key(property.getKey()), false);
        }
        FORBIDDEN_IN_LOGIC.forEach((word, why) -> {
            JsonNode value = schema.path(word);
            boolean flag = value.isBoolean() && !word.equals("default") && !word.equals("additionalProperties");
            boolean empty = value.isMissingNode()
                    || (value.isTextual() && value.asText().isEmpty());
            boolean says = flag ? value.asBoolean() : !empty;
            if (says) {
                faults.forbidden(at(path, word), why);
            }
        });
        if (schema.path("properties").has("metadata")) {
            faults.forbidden(
                    path.child("properties").key("metadata").toString(), "must not be specified in a nested context");
        }
    }

    // ---- completeness

    /** All that logic names is declared beside it. */
    private void completeness(JsonNode schema, Path path) {
        if (!schema.isObject()) {
            return;
        }
        logicIsDeclared(schema, schema, path, path);
        completeness(schema.path("items"), path.child("items"));
        completeness(schema.path("additionalProperties"), path.child("additionalProperties"));
        for (var property : schema.path("properties").properties()) {
            completeness(property.getValue(), path.child("properties").key(property.getKey()));
        }
    }

    private void logicIsDeclared(JsonNode logic, JsonNode declared, Path where, Path by) {
        for (String junctor : JUNCTORS) {
            for (int i = 0; i < logic.path(junctor).size(); i++) {
                isDeclared(
                        logic.path(junctor).path(i),
                        declared,
                        where,
                        by.child(junctor).index(i));
            }
        }
        if (logic.path("not").isObject()) {
            isDeclared(logic.path("not"), declared, where, by.child("not"));
        }
    }

    private void isDeclared(JsonNode logic, JsonNode declared, Path where, Path by) {
        logicIsDeclared(logic, declared, where, by);
        if (logic.path("items").isObject()) {
            below(logic.path("items"), declared.path("items"), where.child("items"), by.child("items"));
        }
        for (var property : logic.path("properties").properties()) {
            String name = property.getKey();
            JsonNode known = declared.path("properties").path(name);
            if (known.isMissingNode() && declared.path("additionalProperties").isObject()) {
                known = declared.path("additionalProperties");
            }
            below(
                    property.getValue(),
                    known,
                    where.child("properties").key(name),
                    by.child("properties").key(name));
        }
    }

    private void below(JsonNode logic, JsonNode declared, Path where, Path by) {
        if (declared.isObject()) {
            isDeclared(logic, declared, where, by);
        } else {
            faults.required(where.toString(), "because it is defined in " + by);
        }
    }
}
