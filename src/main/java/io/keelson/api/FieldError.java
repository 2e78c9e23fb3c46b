package io.keelson.api;

import static io.keelson.api.FieldError.Type.*;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object that breaks a rule, in the words of Kubernetes' {@code field.Error}.
 *
 * @param field path such as {@code spec.template.spec.containers[0].image}
 * @param message the words after the path, such as {@code Required value}
 */
public record FieldError(Type type, String field, String message) {
    /** The kinds of faults, with their cause reasons. */
    public enum Type {
        REQUIRED("FieldValueRequired"),
        INVALID("FieldValueInvalid"),
        TYPE_INVALID("FieldValueTypeInvalid"),
        NOT_SUPPORTED("FieldValueNotSupported"),
        DUPLICATE("FieldValueDuplicate"),
        FORBIDDEN("FieldValueForbidden"),
        TOO_LONG("FieldValueTooLong"),
        TOO_MANY("FieldValueTooMany"),
        NOT_FOUND("FieldValueNotFound");

        private final String reason;

        Type(String reason) {
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }
    }

    public static FieldError required(String field, String detail) {
        return new FieldError(REQUIRED, field, join("Required value", detail));
    }

    public static FieldError invalid(String field, @Nullable Object value, String detail) {
        return new FieldError(INVALID, field, join("Invalid value: " + show(value), detail));
    }

    public static FieldError typeInvalid(String field, @Nullable Object value, String detail) {
        return new FieldError(TYPE_INVALID, field, join("Invalid value: " + show(value), detail));
    }

    public static FieldError notSupported(String field, @Nullable Object value, Collection<String> supported) {
        return notSupportedInOrder(field, value, supported.stream().sorted().toList());
    }

    /** The same, of which the message shows what is supported in the given order. */
    public static FieldError notSupportedInOrder(String field, @Nullable Object value, List<String> supported) {
        String known = supported.stream().map(FieldError::show).collect(Collectors.joining(", "));
        return new FieldError(
                NOT_SUPPORTED, field, join("Unsupported value: " + show(value), "supported values: " + known));
    }

    public static FieldError duplicate(String field, @Nullable Object value) {
        return new FieldError(DUPLICATE, field, "Duplicate value: " + show(value));
    }

    public static FieldError forbidden(String field, String detail) {
        return new FieldError(FORBIDDEN, field, join("Forbidden", detail));
    }

    public static FieldError tooLong(String field, int maxBytes) {
        return new FieldError(TOO_LONG, field, "Too long: may not be more than " + maxBytes + " bytes");
    }

    public static FieldError tooMany(String field, int actual, int max) {
        return new FieldError(TOO_MANY, field, "Too many: " + actual + ": must have at most " + max + " items");
    }

    public static FieldError notFound(String field, @Nullable Object value) {
        return new FieldError(NOT_FOUND, field, "Not found: " + show(value));
    }

    /** Path and message together, as a Status' message shows it. */
    public String text() {
        return field + ": " + message;
    }

    public StatusCause cause() {
        return new StatusCause(type.reason(), message, field);
    }

    private static String join(String head, String detail) {
        return detail.isEmpty() ? head : head + ": " + detail;
    }

    private static String show(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case JsonNode node -> node.toString();
            case String text -> new TextNode(text).toString();
            default -> value.toString();
        };
    }
}
