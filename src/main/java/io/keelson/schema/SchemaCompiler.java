package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.Json;
import io.keelson.schema.Schema.ListType;
import io.keelson.schema.Schema.PatchStrategy;
import io.keelson.schema.Schema.Shape;
import io.keelson.schema.Schema.Traits;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Schema}s of OpenAPI 3 documents. One compiler makes one schema of each name, also where names refer to each
 * other in a circle. Not thread-safe.
 */
final class SchemaCompiler {
    private static final Schema ANYTHING = new Schema(Shape.ANY, traits(Json.object()));

    private final Function<String, @Nullable JsonNode> definitions;
    private final Map<String, Schema> made;

    /**
     * @param definitions a named schema; null where there is none of that name
     * @param made the named schemas that are there already, to which this adds those that it makes
     */
    SchemaCompiler(Function<String, @Nullable JsonNode> definitions, Map<String, Schema> made) {
        this.definitions = definitions;
        this.made = made;
    }

    /** The schema of a name; one that allows anything where there is none. */
    Schema named(String name) {
        Schema known = made.get(name);
        if (known != null) {
            return known;
        }
        JsonNode definition = definitions.apply(name);
        if (definition == null) {
            return ANYTHING;
        }
        var properties = new HashMap<String, Schema>();
        Schema schema = new Schema(shape(name, definition, properties), traits(definition));
        // Known before its properties are made, since they may lead back to it.
        made.put(name, schema);
        fill(properties, definition);
        return schema;
    }

    private Schema compile(JsonNode node) {
        String reference = reference(node);
        if (!reference.isEmpty()) {
            Schema base = named(SchemaLibrary.referenced(reference));
            Traits own = traits(node);
            return own.isEmpty() ? base : Schema.refined(base, own);
        }
        var properties = new HashMap<String, Schema>();
        Schema schema = new Schema(shape("", node, properties), traits(node));
        fill(properties, node);
        return schema;
    }

    private static String reference(JsonNode node) {
        String direct = node.path("$ref").asText();
        return direct.isEmpty() ? node.path("allOf").path(0).path("$ref").asText() : direct;
    }

    private void fill(Map<String, Schema> properties, JsonNode node) {
        for (var property : node.path("properties").properties()) {
            properties.put(property.getKey(), compile(property.getValue()));
        }
    }

    private Shape shape(String name, JsonNode node, Map<String, Schema> properties) {
        JsonNode items = node.get("items");
        JsonNode additional = node.get("additionalProperties");
        return shape(
                name,
                node,
                properties,
                items == null ? null : compile(items),
                additional == null || !additional.isObject() ? null : compile(additional));
    }

    static Shape shape(
            String name,
            JsonNode node,
            Map<String, Schema> properties,
            @Nullable Schema items,
            @Nullable Schema additionalProperties) {
        return new Shape(
                name,
                type(node),
                node.path("format").asText(),
                properties,
                items,
                additionalProperties,
                texts(node.path("required")),
                list(node.path("enum")));
    }

    private static Schema.Type type(JsonNode node) {
        if (node.path("format").asText().equals("int-or-string")) {
            return Schema.Type.INT_OR_STRING;
        }
        return switch (node.path("type").asText()) {
            case "object" -> Schema.Type.OBJECT;
            case "array" -> Schema.Type.ARRAY;
            case "string" -> Schema.Type.STRING;
            case "integer" -> Schema.Type.INTEGER;
            case "number" -> Schema.Type.NUMBER;
            case "boolean" -> Schema.Type.BOOLEAN;
            default -> node.has("oneOf") ? Schema.Type.QUANTITY : Schema.Type.ANY;
        };
    }

    static Traits traits(JsonNode node) {
        ListType listType = switch (node.path("x-kubernetes-list-type").asText()) {
            case "atomic" -> ListType.ATOMIC;
            case "set" -> ListType.SET;
            case "map" -> ListType.MAP;
            default -> null;
        };
        Set<PatchStrategy> strategies = EnumSet.noneOf(PatchStrategy.class);
        for (String strategy : node.path("x-kubernetes-patch-strategy").asText().split(",")) {
            switch (strategy) {
                case "merge" -> strategies.add(PatchStrategy.MERGE);
                case "replace" -> strategies.add(PatchStrategy.REPLACE);
                case "retainKeys" -> strategies.add(PatchStrategy.RETAIN_KEYS);
                default -> {}
            }
        }
        return new Traits(
                node.get("default"),
                listType,
                texts(node.path("x-kubernetes-list-map-keys")),
                node.path("x-kubernetes-map-type").asText().equals("atomic"),
                Set.copyOf(strategies),
                node.path("x-kubernetes-patch-merge-key").asText());
    }

    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(item -> texts.add(item.asText()));
        return List.copyOf(texts);
    }

    private static List<JsonNode> list(JsonNode array) {
        var items = new ArrayList<JsonNode>();
        array.forEach(items::add);
        return List.copyOf(items);
    }
}
