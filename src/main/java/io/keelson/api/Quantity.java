package io.keelson.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resource quantities such as {@code 500m}, {@code 1.5Gi} and {@code 2e3}: their values and their canonical texts, which
 * carry no fraction and the largest suffix that loses nothing. Stateless.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/">Quantity</a>
 */
public final class Quantity {
    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:\\d+\\.?\\d*|\\.\\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d{1,3}|)");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final int SMALLEST_EXPONENT = -9;
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
    /** What is wrong with a text that is no quantity, in Kubernetes' words. */
    public static final String MALFORMED =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private Quantity() {}

    /** The value of a quantity, null where the text is none. */
    public static @Nullable BigDecimal value(String text) {
        var form = FORM.matcher(text);
        return form.matches() ? value(form.group(1), form.group(2)) : null;
    }

    /**
     * The canonical text of a quantity.
     *
     * @throws IllegalArgumentException where the text is no quantity, with words for its writer
     */
    public static String canonical(String text) {
        if (isSmallNumber(text)) {
            return text;
        }
        var form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(MALFORMED);
        }
        String suffix = form.group(2);
        BigDecimal value = value(form.group(1), suffix);
        if (suffix.endsWith("i") && value.abs().compareTo(new BigDecimal(KIBI)) >= 0) {
            return binary(value.setScale(0, RoundingMode.UP).toBigIntegerExact());
        }
        return decimal(value, suffix.length() > 1 && !suffix.endsWith("i"));
    }

    /** Whether a text is a number from 1 to 99, as most counts of CPUs and pods are, which is canonical as it is. */
    private static boolean isSmallNumber(String text) {
        return switch (text.length()) {
            case 1 -> isDigit(text.charAt(0), '1');
            case 2 -> isDigit(text.charAt(0), '1') && isDigit(text.charAt(1), '0');
            default -> false;
        };
    }

    private static boolean isDigit(char c, char least) {
        return c >= least && c <= '9';
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
