package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resource quantities such as {@code 500m}, {@code 1.5Gi} and {@code 2e3}: their values and their canonical texts, which
 * carry no fraction and the largest suffix that loses nothing.
 */
public final class Quantities {
    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:\\d+\\.?\\d*|\\.\\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d{1,3}|)");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final int SMALLEST_EXPONENT = -9;
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
    private static final String MALFORMED =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private Quantities() {}

    /** The value of a quantity, null where the node is none. */
    public static @Nullable BigDecimal value(JsonNode node) {
        var form = FORM.matcher(node.isValueNode() ? node.asText() : "");
        return form.matches() ? value(form.group(1), form.group(2)) : null;
    }

    /** The value of a quantity, 0 where the node is none. */
    public static BigDecimal valueOrZero(JsonNode node) {
        BigDecimal value = value(node);
        return value == null ? BigDecimal.ZERO : value;
    }

    /** Brings the quantities of a resource list into their canonical form. */
    public static void canonicalize(JsonNode resources) {
        if (resources instanceof ObjectNode object) {
            for (var entry : object.properties()) {
                entry.setValue(object.textNode(canonical(entry.getValue().asText())));
            }
        }
    }

    /** Brings one field into the canonical form, where it is there. */
    public static void canonicalize(ObjectNode object, String field) {
        if (Trees.has(object, field)) {
            object.put(field, canonical(object.path(field).asText()));
        }
    }

    /**
     * @throws MalformedValueException where the text is no quantity
     */
    public static String canonical(String text) {
        var form = FORM.matcher(text);
        if (!form.matches()) {
            throw new MalformedValueException(MALFORMED);
        }
        String suffix = form.group(2);
        BigDecimal value = value(form.group(1), suffix);
        if (suffix.endsWith("i") && value.abs().compareTo(new BigDecimal(KIBI)) >= 0) {
            return binary(value.setScale(0, RoundingMode.UP).toBigIntegerExact());
        }
        return decimal(value, suffix.length() > 1 && !suffix.endsWith("i"));
    }

    private static BigDecimal value(String number, String suffix) {
        var value = new BigDecimal(number);
        if (suffix.endsWith("i")) {
            return value.multiply(new BigDecimal(KIBI.pow(BINARY.indexOf(suffix))));
        }
        if (suffix.length() > 1) {
            return value.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        }
        return value.scaleByPowerOfTen(SMALLEST_EXPONENT + 3 * DECIMAL.indexOf(suffix));
    }

    private static String binary(BigInteger value) {
        int step = 0;
        BigInteger left = value;
        while (step < BINARY.size() - 1 && left.mod(KIBI).signum() == 0) {
            left = left.divide(KIBI);
            step++;
        }
        return left + BINARY.get(step);
    }

    private static String decimal(BigDecimal value, boolean scientific) {
        BigInteger left = value.setScale(-SMALLEST_EXPONENT, RoundingMode.UP).unscaledValue();
        if (left.signum() == 0) {
            return "0";
        }
        int step = 0;
        while (step < DECIMAL.size() - 1 && left.mod(THOUSAND).signum() == 0) {
            left = left.divide(THOUSAND);
            step++;
        }
        int exponent = SMALLEST_EXPONENT + 3 * step;
        return left + (scientific ? exponent == 0 ? "" : "e" + exponent : DECIMAL.get(step));
    }
}
