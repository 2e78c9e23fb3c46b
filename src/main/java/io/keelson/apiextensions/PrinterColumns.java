package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.registry.Ages;
import io.keelson.registry.Column;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns that a CustomResourceDefinition asks for. Stateless. */
final class PrinterColumns {
    private PrinterColumns() {}

    /** The columns of a version after the name; its age where it asks for none. */
    static Column[] of(JsonNode version) {
        var columns = new ArrayList<Column>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            columns.add(of(
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("format").asText(),
                    column.path("description").asText(),
                    column.path("priority").asInt(),
                    column.path("jsonPath").asText()));
        }
        if (columns.isEmpty()) {
            columns.add(of("Age", "date", "", "When the object was created.", 0, ".metadata.creationTimestamp"));
        }
        return columns.toArray(Column[]::new);
    }

    private static Column of(
            String name, String type, String format, String description, int priority, String jsonPath) {
        JsonPath path = JsonPath.parse(jsonPath);
        String words = description.isEmpty()
                ? "Custom resource definition column (in JSONPath format): " + jsonPath
                : description;
        return new Column(
                name,
                type,
                format,
                words,
                priority,
                (object, now) -> path == null ? null : cell(type, path.find(object), now));
    }

    private static @Nullable Object cell(String type, List<JsonNode> found, Instant now) {
        if (found.isEmpty()) {
            return null;
        }
        JsonNode value = found.getFirst();
        return switch (type) {
            case "integer" -> value.isNumber() ? (Object) value.asLong() : null;
            case "number" -> value.isNumber() ? (Object) value.asDouble() : null;
            case "boolean" -> value.isBoolean() ? (Object) value.asBoolean() : null;
            case "string" -> value.isTextual() ? value.textValue() : value.isNull() ? "" : value.toString();
            case "date" -> value.isTextual() ? age(value.textValue(), now) : null;
            default -> null;
        };
    }

    private static String age(String time, Instant now) {
        try {
            return Ages.since(time, now);
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }
}
