package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.keelson.api.FieldError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges values by their schema, in the words of kube-apiserver. What an update leaves as it was is not judged again, so that
 * an object that a newer schema would refuse can still be changed elsewhere. One use a judgement.
 */
public final class SchemaValidator {
    /** How many faults are told of one object. */
    private static final int MAX_FAULTS = 200;

    private final Path base;
    private final List<FieldError> errors = new ArrayList<>(0);

    private SchemaValidator(Path base) {
        this.base = base;
    }

    /**
     * What is wrong with a value.
     *
     * @param base where the value is; messages tell of places below it
     * @param old what the value was; null where it is new or all of it is to be judged
     */
    public static List<FieldError> validate(
            StructuralSchema schema, JsonNode value, @Nullable JsonNode old, Path base) {
        var validator = new SchemaValidator(base);
        validator.value(schema, value, old, Path.ROOT);
        return validator.errors;
    }

    private void value(StructuralSchema schema, JsonNode value, @Nullable JsonNode old, Path path) {
        if (value.equals(old) || errors.size() >= MAX_FAULTS) {
            return;
        }
        type(schema, value, path);
        if (value.isNull()) {
            return;
        }
        junctors(schema, value, old, path);
        Limits limits = schema.limits();
        if (value.isTextual()) {
            text(schema, limits, value, path);
        } else if (value.isNumber()) {
            number(schema, limits, value, path);
        }
        if (!schema.allowed().isEmpty() && schema.allowed().stream().noneMatch(allowed -> same(allowed, value))) {
            errors.add(notSupported(field(path), value, schema.allowed()));
        }
        if (value.isObject()) {
            object(schema, limits, value, old, path);
        } else if (value.isArray()) {
            array(schema, limits, value, old, path);
        }
    }

    private static boolean same(JsonNode allowed, JsonNode value) {
        return allowed.equals(value)
                || (allowed.isNumber()
                        && value.isNumber()
                        && allowed.decimalValue().compareTo(value.decimalValue()) == 0);
    }

    private static FieldError notSupported(String field, JsonNode value, List<JsonNode> allowed) {
        List<String> known = allowed.stream()
                .map(each -> each.isTextual() ? each : TextNode.valueOf(each.toString()))
                .map(JsonNode::toString)
                .toList();
        return new FieldError(
                FieldError.Type.NOT_SUPPORTED,
                field,
                "Unsupported value: " + value + ": supported values: " + String.join(", ", known));
    }

    // ---- types

    private void type(StructuralSchema schema, JsonNode value, Path path) {
        String wanted = switch (schema.type()) {
            case OBJECT -> value.isObject() ? "" : "object";
            case ARRAY -> value.isArray() ? "" : "array";
            case STRING -> value.isTextual() ? "" : "string";
            case INTEGER -> isInteger(value) ? "" : "integer";
            case NUMBER -> value.isNumber() ? "" : "number";
            case BOOLEAN -> value.isBoolean() ? "" : "boolean";
            case INT_OR_STRING -> isInteger(value) || value.isTextual() ? "" : "integer,string";
            case QUANTITY, ANY -> "";
        };
        if (!wanted.isEmpty() && !(value.isNull() && schema.isNullable())) {
            wrongType(wanted, typeName(value), path);
        }
    }

    private void wrongType(String wanted, String shown, Path path) {
        errors.add(FieldError.typeInvalid(
                field(path), shown, path.text() + " in body must be of type " + wanted + ": " + quoted(shown)));
    }

    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static String typeName(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            default -> "null";
        };
    }

    // ---- scalars

    private void text(StructuralSchema schema, @Nullable Limits limits, JsonNode value, Path path) {
        String text = value.textValue();
        if (limits != null) {
            long length = text.codePointCount(0, text.length());
            if (limits.maxLength() >= 0 && length > limits.maxLength()) {
                errors.add(FieldError.tooLong(field(path), (int) Math.min(limits.maxLength(), Integer.MAX_VALUE)));
            } else if (length < limits.minLength()) {
                invalid(path, value, "should be at least " + limits.minLength() + " chars long");
            } else if (!limits.pattern().isEmpty() && !Patterns.find(limits.pattern(), text)) {
                invalid(path, value, "should match '" + limits.pattern() + "'");
            }
        }
        boolean applies = schema.type() == StructuralSchema.Type.STRING || schema.type() == StructuralSchema.Type.ANY;
        if (applies && !Formats.fits(schema.format(), text)) {
            wrongType(schema.format(), text, path);
        }
    }

    private void number(StructuralSchema schema, @Nullable Limits limits, JsonNode value, Path path) {
        if (limits != null) {
            BigDecimal number = value.decimalValue();
            bound(limits.minimum(), limits.exclusiveMinimum(), number, 1, value, path);
            bound(limits.maximum(), limits.exclusiveMaximum(), number, -1, value, path);
            JsonNode multiple = limits.multipleOf();
            if (multiple != null
                    && multiple.decimalValue().signum() > 0
                    && number.remainder(multiple.decimalValue()).signum() != 0) {
                invalid(path, value, "should be a multiple of " + multiple.asText());
            }
        }
        String format = schema.format();
        boolean inRange = switch (format) {
            case "int32" -> !isInteger(value) || value.canConvertToInt();
            case "int64" -> !isInteger(value) || value.canConvertToLong();
            default -> true;
        };
        if (!inRange) {
            errors.add(FieldError.invalid(
                    base.toString(),
                    "",
                    "Checked value must be of type integer with format " + format + " in " + path.text()));
        }
    }

    /** @param sign 1 for a bound from below, -1 for one from above */
    private void bound(
            @Nullable JsonNode bound, boolean exclusive, BigDecimal number, int sign, JsonNode value, Path path) {
        if (bound == null) {
            return;
        }
        int order = Integer.signum(number.compareTo(bound.decimalValue())) * sign;
        if (order < 0 || (exclusive && order == 0)) {
            String words =
                    (sign > 0 ? "should be greater than " : "should be less than ") + (exclusive ? "" : "or equal to ");
            invalid(path, value, words + bound.asText());
        }
    }

    // ---- containers

    private void object(
            StructuralSchema schema, @Nullable Limits limits, JsonNode value, @Nullable JsonNode old, Path path) {
        if (limits != null && limits.maxProperties() >= 0 && value.size() > limits.maxProperties()) {
            errors.add(FieldError.tooMany(field(path), value.size(), (int) limits.maxProperties()));
        }
        if (limits != null && value.size() < limits.minProperties()) {
            invalid(path, value.size(), "should have at least " + limits.minProperties() + " properties");
        }
        for (String required : schema.required()) {
            if (!value.has(required)) {
                errors.add(FieldError.required(field(path.child(required)), ""));
            }
        }
        for (var field : value.properties()) {
            StructuralSchema child = schema.child(field.getKey());
            if (child != null) {
                value(
                        child,
                        field.getValue(),
                        old == null ? null : old.get(field.getKey()),
                        path.child(field.getKey()));
            }
        }
    }

    private void array(
            StructuralSchema schema, @Nullable Limits limits, JsonNode value, @Nullable JsonNode old, Path path) {
        if (limits != null && limits.maxItems() >= 0 && value.size() > limits.maxItems()) {
            errors.add(FieldError.tooMany(field(path), value.size(), (int) limits.maxItems()));
        }
        if (limits != null && value.size() < limits.minItems()) {
            invalid(path, value.size(), "should have at least " + limits.minItems() + " items");
        }
        StructuralSchema items = schema.itemSchema();
        if (items == null) {
            return;
        }
        Map<JsonNode, JsonNode> before = old == null ? Map.of() : ListTypes.byKey(schema, old);
        for (int i = 0; i < value.size(); i++) {
            JsonNode item = value.path(i);
            JsonNode key = before.isEmpty() ? null : ListTypes.key(schema, item);
            value(items, item, key == null ? null : before.get(key), path.index(i));
        }
    }

    // ---- logic

    private void junctors(StructuralSchema schema, JsonNode value, @Nullable JsonNode old, Path path) {
        Junctors junctors = schema.junctors();
        if (junctors == null) {
            return;
        }
        String name = quoted(path.text());
        if (!junctors.anyOf().isEmpty() && matching(junctors.anyOf(), value, old, path) == 0) {
            logic(name + " must validate at least one schema (anyOf)");
        }
        if (!junctors.oneOf().isEmpty()) {
            int matching = matching(junctors.oneOf(), value, old, path);
            if (matching != 1) {
                String found = matching == 0 ? "Found none valid" : "Found " + matching + " valid alternatives";
                logic(name + " must validate one and only one schema (oneOf). " + found);
            }
        }
        if (!junctors.allOf().isEmpty()) {
            int before = errors.size();
            junctors.allOf().forEach(each -> value(each, value, old, path));
            if (errors.size() > before) {
                logic(name + " must validate all the schemas (allOf)");
            }
        }
        StructuralSchema not = junctors.not();
        if (not != null && matching(List.of(not), value, old, path) == 1) {
            logic(name + " must not validate the schema (not)");
        }
    }

    private void logic(String message) {
        errors.add(FieldError.invalid(base.toString(), "", message));
    }

    private static int matching(List<StructuralSchema> schemas, JsonNode value, @Nullable JsonNode old, Path path) {
        int matching = 0;
        for (StructuralSchema each : schemas) {
            var attempt = new SchemaValidator(Path.ROOT);
            attempt.value(each, value, old, path);
            if (attempt.errors.isEmpty()) {
                matching++;
            }
        }
        return matching;
    }

    // ---- words

    private void invalid(Path path, Object value, String what) {
        errors.add(FieldError.invalid(field(path), value, path.text() + " in body " + what));
    }

    private String field(Path path) {
        if (path.isRoot()) {
            return base.toString();
        }
        return base.isRoot() ? path.text() : base.child(path.text()).text();
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
