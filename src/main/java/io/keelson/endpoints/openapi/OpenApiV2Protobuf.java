package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Writes an OpenAPI 2 document as the protobuf message {@code openapi.v2.Document} of gnostic, which clients prefer to
 * JSON. Of that message it knows the fields that {@link OpenApiV2} writes. The numbers below are the message's field
 * numbers. Stateless.
 */
final class OpenApiV2Protobuf {
    private static final int NAME = 1;
    private static final int VALUE = 2;

    private OpenApiV2Protobuf() {}

    static byte[] encode(ObjectNode document) {
        var info = new ProtoMessage();
        putText(info, 1, document.path("info"), "title");
        putText(info, 2, document.path("info"), "version");
        var message = new ProtoMessage();
        putText(message, 1, document, "swagger");
        message.message(2, info);
        message.message(8, named(2, document.path("paths"), OpenApiV2Protobuf::pathItem));
        message.message(9, named(1, document.path("definitions"), OpenApiV2Protobuf::schema));
        return message.bytes().toByteArray();
    }

    /** A map, which the message writes as a repeated pair of name and value. */
    private static ProtoMessage named(int field, JsonNode map, Function<JsonNode, ProtoMessage> value) {
        var message = new ProtoMessage();
        for (var entry : map.properties()) {
            message.message(
                    field, new ProtoMessage().text(NAME, entry.getKey()).message(VALUE, value.apply(entry.getValue())));
        }
        return message;
    }

    private static ProtoMessage pathItem(JsonNode item) {
        var message = new ProtoMessage();
        for (var field : item.properties()) {
            int number = switch (field.getKey()) {
                case "get" -> 2;
                case "put" -> 3;
                case "post" -> 4;
                case "delete" -> 5;
                case "patch" -> 8;
                default -> 0;
            };
            if (number > 0) {
                message.message(number, operation(field.getValue()));
            }
        }
        item.path("parameters").forEach(parameter -> message.message(9, parametersItem(parameter)));
        return message;
    }

    private static ProtoMessage operation(JsonNode operation) {
        var message = new ProtoMessage();
        putTexts(message, 1, operation.path("tags"));
        putText(message, 5, operation, "operationId");
        putTexts(message, 6, operation.path("produces"));
        putTexts(message, 7, operation.path("consumes"));
        operation.path("parameters").forEach(parameter -> message.message(8, parametersItem(parameter)));
        message.message(9, named(1, operation.path("responses"), OpenApiV2Protobuf::responseValue));
        putTexts(message, 10, operation.path("schemes"));
        putExtensions(message, 13, operation);
        return message;
    }

    private static ProtoMessage parametersItem(JsonNode parameter) {
        var message = new ProtoMessage();
        switch (parameter.path("in").asText()) {
            case "body" -> message.message(1, bodyParameter(parameter));
            case "path" -> message.message(2, new ProtoMessage().message(4, valueParameter(parameter, 5, 19)));
            default -> message.message(2, new ProtoMessage().message(3, valueParameter(parameter, 6, 20)));
        }
        return new ProtoMessage().message(1, message);
    }

    private static ProtoMessage bodyParameter(JsonNode parameter) {
        var message = new ProtoMessage();
        putText(message, 2, parameter, "name");
        putText(message, 3, parameter, "in");
        putTruth(message, 4, parameter, "required");
        return message.message(5, schema(parameter.path("schema")));
    }

    /** A parameter in the path or the query; their messages differ in the numbers of two fields. */
    private static ProtoMessage valueParameter(JsonNode parameter, int type, int uniqueItems) {
        var message = new ProtoMessage();
        putTruth(message, 1, parameter, "required");
        putText(message, 2, parameter, "in");
        putText(message, 4, parameter, "name");
        putText(message, type, parameter, "type");
        putTruth(message, uniqueItems, parameter, "uniqueItems");
        return message;
    }

    private static ProtoMessage responseValue(JsonNode response) {
        var message = new ProtoMessage();
        putText(message, 1, response, "description");
        if (response.has("schema")) {
            message.message(2, new ProtoMessage().message(1, schema(response.path("schema"))));
        }
        return new ProtoMessage().message(1, message);
    }

    private static ProtoMessage schema(JsonNode schema) {
        var message = new ProtoMessage();
        putText(message, 1, schema, "$ref");
        putText(message, 2, schema, "format");
        putText(message, 4, schema, "description");
        putTexts(message, 19, schema.path("required"));
        schema.path("enum").forEach(value -> message.message(20, any(value)));
        JsonNode additional = schema.path("additionalProperties");
        if (additional.isObject()) {
            message.message(21, new ProtoMessage().message(1, schema(additional)));
        } else if (additional.isBoolean()) {
            message.message(21, new ProtoMessage().truth(2, additional.booleanValue()));
        }
        if (schema.has("type")) {
            message.message(22, new ProtoMessage().text(1, schema.path("type").asText()));
        }
        if (schema.has("items")) {
            message.message(23, new ProtoMessage().message(1, schema(schema.path("items"))));
        }
        if (schema.has("properties")) {
            message.message(25, named(1, schema.path("properties"), OpenApiV2Protobuf::schema));
        }
        putExtensions(message, 31, schema);
        return message;
    }

    private static void putExtensions(ProtoMessage message, int field, JsonNode from) {
        for (var entry : from.properties()) {
            if (entry.getKey().startsWith("x-")) {
                message.message(
                        field, new ProtoMessage().text(NAME, entry.getKey()).message(VALUE, any(entry.getValue())));
            }
        }
    }

    /** A value of any type, which the message carries as YAML text; JSON is such. */
    private static ProtoMessage any(JsonNode value) {
        return new ProtoMessage().text(2, new String(Json.write(value), StandardCharsets.UTF_8));
    }

    private static void putText(ProtoMessage message, int field, JsonNode from, String name) {
        JsonNode value = from.path(name);
        if (!value.isMissingNode()) {
            message.text(field, value.asText());
        }
    }

    private static void putTruth(ProtoMessage message, int field, JsonNode from, String name) {
        if (from.path(name).booleanValue()) {
            message.truth(field, true);
        }
    }

    private static void putTexts(ProtoMessage message, int field, JsonNode texts) {
        texts.forEach(text -> message.text(field, text.asText()));
    }
}
