package io.keelson.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Builds a tree of JSON that gives keys more than once: the last value counts, and objects given twice are merged. One use a
 * document.
 */
final class DuplicateKeysReader {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final JsonParser parser;
    private final Consumer<String> duplicates;

    /** @param duplicates is told the path of each key that is given again */
    DuplicateKeysReader(JsonParser parser, Consumer<String> duplicates) {
        this.parser = parser;
        this.duplicates = duplicates;
    }

    JsonNode read() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return NODES.missingNode();
        }
        JsonNode root = value(first, "");
        if (parser.nextToken() != null) {
            throw new BadJsonException("unexpected text after the JSON document", null);
        }
        return root;
    }

    private JsonNode value(JsonToken token, String path) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(path);
            case START_ARRAY -> array(path);
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                switch (parser.getNumberType()) {
                    case INT -> NODES.numberNode(parser.getIntValue());
                    case LONG -> NODES.numberNode(parser.getLongValue());
                    default -> NODES.numberNode(parser.getBigIntegerValue());
                };
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    private ObjectNode object(String path) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            String at = path.isEmpty() ? key : path + "." + key;
            JsonNode value = value(parser.nextToken(), at);
            JsonNode before = object.get(key);
            if (before != null) {
                duplicates.accept(at);
            }
            object.set(key, before == null ? value : merged(before, value));
        }
        return object;
    }

    private ArrayNode array(String path) throws IOException {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(token, path + "[" + array.size() + "]"));
        }
        return array;
    }

    private static JsonNode merged(JsonNode before, JsonNode value) {
        if (before instanceof ObjectNode target && value instanceof ObjectNode given) {
            for (var field : given.properties()) {
                JsonNode old = target.get(field.getKey());
                target.set(field.getKey(), old == null ? field.getValue() : merged(old, field.getValue()));
            }
            return target;
        }
        return value;
    }
}
