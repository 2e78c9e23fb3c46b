package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with an object, by the checks that many kinds make. Used by one thread. */
public final class Faults {
    private static final Pattern PORT_NAME = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z]");
    private static final int MAX_PORT = 65535;
    private static final int MAX_PORT_NAME = 15;

    private final List<FieldError> errors = new ArrayList<>();

    /** What has been found, in order. */
    public List<FieldError> list() {
        return errors;
    }

    public boolean none() {
        return errors.isEmpty();
    }

    public void required(String field, String detail) {
        errors.add(FieldError.required(field, detail));
    }

    public void invalid(String field, @Nullable Object value, String detail) {
        boolean missing = value instanceof JsonNode node && node.isMissingNode();
        errors.add(FieldError.invalid(field, missing ? null : value, detail));
    }

    public void forbidden(String field, String detail) {
        errors.add(FieldError.forbidden(field, detail));
    }

    public void duplicate(String field, Object value) {
        errors.add(FieldError.duplicate(field, value));
    }

    public void notSupported(String field, Object value, List<String> known) {
        errors.add(FieldError.notSupported(field, value, known));
    }

    public void notFound(String field, Object value) {
        errors.add(FieldError.notFound(field, value));
    }

    public void tooLong(String field, int maxBytes) {
        errors.add(FieldError.tooLong(field, maxBytes));
    }

    /** A text that must be there; says whether it is. */
    public boolean present(String field, JsonNode text) {
        boolean present =
                !(text.isMissingNode() || text.isNull() || (text.asText().isEmpty() && !text.isContainerNode()));
        if (!present) {
            required(field, "");
        }
        return present;
    }

    /** A text that must keep a rule of {@link Names}. */
    public void rule(String field, String value, Function<String, List<String>> rule) {
        rule.apply(value).forEach(fault -> invalid(field, value, fault));
    }

    /** A text that must be there and keep a rule. */
    public void presentByRule(String field, JsonNode text, Function<String, List<String>> rule) {
        if (present(field, text)) {
            rule(field, text.asText(), rule);
        }
    }

    /** A text that must be there and be one of some. */
    public void oneOf(String field, JsonNode text, List<String> known) {
        if (present(field, text) && !known.contains(text.asText())) {
            errors.add(FieldError.notSupported(field, text, known));
        }
    }

    /** A text that, where it is there, must be one of some. */
    public void oneOfIfSet(String field, JsonNode text, List<String> known) {
        if (!text.isMissingNode() && !known.contains(text.asText())) {
            errors.add(FieldError.notSupported(field, text, known));
        }
    }

    /** A number that, where it is there, must not be below 0. */
    public void notNegative(String field, JsonNode number) {
        if (number.asLong() < 0) {
            invalid(field, number, "must be greater than or equal to 0");
        }
    }

    /** A number that, where it is there, must be above 0. */
    public void positive(String field, JsonNode number) {
        if (number.isNumber() && number.asLong() <= 0) {
            invalid(field, number, "must be greater than 0");
        }
    }

    public void port(String field, JsonNode number) {
        if (number.asLong() < 1 || number.asLong() > MAX_PORT) {
            invalid(field, number, "must be between 1 and 65535, inclusive");
        }
    }

    public void portOrName(String field, JsonNode port) {
        if (port.isTextual()) {
            portName(field, port.asText());
        } else {
            port(field, port);
        }
    }

    /** A service name of IANA (RFC 6335), as ports are named by. */
    public void portName(String field, String name) {
        if (name.length() > MAX_PORT_NAME) {
            invalid(field, name, "must be no more than " + MAX_PORT_NAME + " characters");
        }
        if (!PORT_NAME.matcher(name).matches()) {
            invalid(field, name, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!LETTER.matcher(name).find()) {
            invalid(field, name, "must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            invalid(field, name, "must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            invalid(field, name, "must not begin or end with a hyphen");
        }
    }

    public void labels(String field, JsonNode labels) {
        for (var entry : labels.properties()) {
            rule(field, entry.getKey(), Names::labelKey);
            rule(field, entry.getValue().asText(), Names::labelValue);
        }
    }

    /** A field that must be as it was. */
    public void immutable(String field, JsonNode now, JsonNode before) {
        if (!now.equals(before)) {
            invalid(field, now, "field is immutable");
        }
    }

    /** A field below {@code spec} that must be as it was. */
    public void immutableSpec(ObjectNode object, ObjectNode old, String... fields) {
        for (String field : fields) {
            immutable("spec." + field, Trees.at(object, "spec", field), Trees.at(old, "spec", field));
        }
    }

    /** A data object marked {@code immutable} keeps its content and its mark. */
    public void keepsImmutable(ObjectNode object, ObjectNode old, String... contents) {
        if (!old.path("immutable").asBoolean()) {
            return;
        }
        String why = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean()) {
            forbidden("immutable", why);
        }
        for (String content : contents) {
            if (!object.path(content).equals(old.path(content))) {
                forbidden(content, why);
            }
        }
    }
}
