package io.keelson.endpoints.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The messages that are in JSON something else than an object of their fields. Stateless. */
final class WellKnown {
    static final String INT_OR_STRING = "util.intstr.IntOrString";

    private static final DateTimeFormatter TIME = formatter("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICRO_TIME = formatter("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    /** The first and the last second that RFC 3339, with its years of four digits, can write. */
    private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private WellKnown() {}

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    /**
     * What a message is in JSON.
     *
     * @param value the message's fields
     * @param empty whether the message had no content at all
     * @return null where it is an object of its fields
     */
    static @Nullable JsonNode convert(String message, ObjectNode value, boolean empty) {
        return switch (message) {
            case "meta.v1.Time" -> time(value, empty, TIME);
            case "meta.v1.MicroTime" -> time(value, empty, MICRO_TIME);
            case "api.resource.Quantity" ->
                TextNode.valueOf(value.path("string").asText("0"));
            case INT_OR_STRING -> intOrString(value);
            case "runtime.RawExtension", "meta.v1.FieldsV1", "apiextensions.v1.JSON" -> embedded(value.path("raw"));
            case "authentication.v1.ExtraValue", "authorization.v1.ExtraValue", "certificates.v1.ExtraValue" ->
                value.withArrayProperty("items");
            case "apiextensions.v1.JSONSchemaPropsOrArray" -> firstOf(value, "jSONSchemas", "schema");
            case "apiextensions.v1.JSONSchemaPropsOrStringArray" -> firstOf(value, "property", "schema");
            case "apiextensions.v1.JSONSchemaPropsOrBool" ->
                value.has("schema")
                        ? value.path("schema")
                        : value.put("allows", value.path("allows").asBoolean()).path("allows");
            default -> null;
        };
    }

    /** A time; one without content is the one that was never set. */
    private static JsonNode time(ObjectNode value, boolean empty, DateTimeFormatter formatter) {
        if (empty) {
            return NullNode.instance;
        }
        try {
            Instant time = Instant.ofEpochSecond(
                    value.path("seconds").asLong(), value.path("nanos").asLong());
            if (time.isBefore(FIRST_TIME) || time.isAfter(LAST_TIME)) {
                throw new BadJsonException("a time is outside of the years 1 to 9999", null);
            }
            return TextNode.valueOf(formatter.format(time));
        } catch (DateTimeException | ArithmeticException e) {
            throw new BadJsonException("a time is outside of the years 1 to 9999", e);
        }
    }

    private static JsonNode intOrString(ObjectNode value) {
        if (value.path("type").asLong() != 0) {
            return TextNode.valueOf(value.path("strVal").asText());
        }
        return IntNode.valueOf(value.path("intVal").asInt());
    }

    private static JsonNode embedded(JsonNode raw) {
        if (!(raw instanceof BinaryNode bytes) || bytes.binaryValue().length == 0) {
            return NullNode.instance;
        }
        return Json.parse(bytes.binaryValue());
    }

    private static JsonNode firstOf(ObjectNode value, String first, String second) {
        return value.has(first) ? value.path(first) : value.has(second) ? value.path(second) : NullNode.instance;
    }
}
