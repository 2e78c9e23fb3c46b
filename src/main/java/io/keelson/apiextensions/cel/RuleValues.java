package io.keelson.apiextensions.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.keelson.apiextensions.structural.StructuralSchema;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as rules see them, made of JSON by its schema. Stateless. */
final class RuleValues {
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)");

    private RuleValues() {}

    /** @param schema null where nothing is known of the value */
    static Object of(@Nullable StructuralSchema schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> object(schema, value);
            case ARRAY -> {
                var list = new ArrayList<Object>(value.size());
                value.forEach(item -> list.add(of(schema == null ? null : schema.itemSchema(), item)));
                yield list;
            }
            case STRING -> text(schema, value.textValue());
            case NUMBER -> number(schema, value);
            case BOOLEAN -> value.booleanValue();
            default -> NullValue.NULL_VALUE;
        };
    }

    private static Object number(@Nullable StructuralSchema schema, JsonNode value) {
        boolean fraction = schema != null && schema.type() == StructuralSchema.Type.NUMBER && !schema.isIntOrString();
        boolean whole = schema != null && schema.type() == StructuralSchema.Type.INTEGER;
        if (fraction || !(value.canConvertToLong() && (value.isIntegralNumber() || whole))) {
            return value.doubleValue();
        }
        return value.longValue();
    }

    private static Object object(@Nullable StructuralSchema schema, JsonNode value) {
        boolean struct = schema != null
                && schema.type() == StructuralSchema.Type.OBJECT
                && (schema.valueSchema() == null || !schema.declared().isEmpty());
        if (schema != null && struct) {
            return struct(schema, value);
        }
        Map<String, Object> map = new LinkedHashMap<>();
        for (var field : value.properties()) {
            String name = field.getKey();
            map.put(name, of(schema == null ? null : schema.child(name), field.getValue()));
        }
        return map;
    }

    /** The fields that rules may name; a null is as good as none. */
    private static Map<String, Object> struct(StructuralSchema schema, JsonNode value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (var field : value.properties()) {
            String name = field.getKey();
            StructuralSchema child = schema.declared(name);
            if (schema.isResource() && name.equals("metadata")) {
                fields.put(name, names(field.getValue()));
            } else if (child != null && !field.getValue().isNull()) {
                fields.put(RuleTypes.escaped(name), of(child, field.getValue()));
            }
        }
        return fields;
    }

    private static Map<String, Object> names(JsonNode metadata) {
        Map<String, Object> names = new LinkedHashMap<>();
        for (String name : new String[] {"name", "generateName"}) {
            if (metadata.path(name).isTextual()) {
                names.put(name, metadata.path(name).textValue());
            }
        }
        return names;
    }

    private static Object text(@Nullable StructuralSchema schema, String text) {
        if (schema == null || schema.isIntOrString()) {
            return text;
        }
        try {
            return switch (schema.format()) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
                case "date-time" -> OffsetDateTime.parse(text).toInstant();
                case "duration" -> duration(text);
                default -> text;
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            return text;
        }
    }

    /** A duration as Go writes it: {@code 1h30m}, {@code 1.5s}. */
    static Duration duration(String text) {
        var matcher = DURATION_PART.matcher(text);
        double nanos = 0;
        int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        while (matcher.find() && matcher.start() == at) {
            nanos += Double.parseDouble(matcher.group(1)) * unit(matcher.group(2));
            at = matcher.end();
        }
        if (at != text.length()) {
            throw new IllegalArgumentException("invalid duration");
        }
        return Duration.ofNanos((long) (text.startsWith("-") ? -nanos : nanos));
    }

    private static double unit(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3600e9;
        };
    }
}
