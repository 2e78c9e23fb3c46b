package io.keelson.apiextensions.cel;

import dev.cel.common.values.CelByteString;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code format} function of texts: {@code %s}, {@code %d}, {@code %f}, {@code %e}, {@code %x}, {@code %X}, {@code %o}, {@code %b} and {@code %%}. Stateless. */
final class TextFormat {
    private static final int DEFAULT_PRECISION = 6;

    /** The most digits after the point. */
    private static final int MAX_PRECISION = 100;

    private TextFormat() {}

    static String format(String pattern, List<?> values) {
        var text = new StringBuilder();
        int next = 0;
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c != '%') {
                text.append(c);
                continue;
            }
            if (at < pattern.length() && pattern.charAt(at) == '%') {
                text.append('%');
                at++;
                continue;
            }
            int precision = DEFAULT_PRECISION;
            if (at < pattern.length() && pattern.charAt(at) == '.') {
                int start = ++at;
                while (at < pattern.length() && Character.isDigit(pattern.charAt(at)) && at - start < 3) {
                    at++;
                }
                precision = at == start ? 0 : Math.min(Integer.parseInt(pattern.substring(start, at)), MAX_PRECISION);
            }
            if (at >= pattern.length()) {
                throw new IllegalArgumentException("unexpected end of string");
            }
            if (next >= values.size()) {
                throw new IllegalArgumentException("index " + next + " out of range");
            }
            text.append(clause(pattern.charAt(at++), precision, values.get(next++)));
        }
        return text.toString();
    }

    private static String clause(char clause, int precision, @Nullable Object value) {
        return switch (clause) {
            case 's' -> show(value);
            case 'd' ->
                value instanceof Double number && !(number.isNaN() || number.isInfinite())
                        ? wrong(clause)
                        : value instanceof Number ? show(value) : wrong(clause);
            case 'f' ->
                value instanceof Number number
                        ? new BigDecimal(number.toString())
                                .setScale(precision, RoundingMode.HALF_EVEN)
                                .toPlainString()
                        : wrong(clause);
            case 'e' ->
                value instanceof Number number
                        ? String.format(Locale.ROOT, "%." + precision + "e", number.doubleValue())
                        : wrong(clause);
            case 'b' ->
                value instanceof Boolean flag
                        ? flag ? "1" : "0"
                        : value instanceof Long number ? signed(number, 2) : wrong(clause);
            case 'o' -> value instanceof Long number ? signed(number, 8) : wrong(clause);
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default -> throw new IllegalArgumentException("unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private static String signed(long number, int radix) {
        return Long.toString(number, radix);
    }

    private static String hex(@Nullable Object value) {
        if (value instanceof Long number) {
            return signed(number, 16);
        }
        byte[] bytes = value instanceof CelByteString string
                ? string.toByteArray()
                : show(value).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(bytes);
    }

    private static String wrong(char clause) {
        throw new IllegalArgumentException("error during formatting: %" + clause + " cannot show a value of this type");
    }

    private static String show(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1e15 -> Long.toString(number.longValue());
            case List<?> list -> {
                var items = new ArrayList<String>();
                list.forEach(item -> items.add(show(item)));
                yield "[" + String.join(", ", items) + "]";
            }
            case Map<?, ?> map -> {
                var items = new ArrayList<String>();
                map.forEach((key, item) -> items.add(show(key) + ": " + show(item)));
                items.sort(null);
                yield "{" + String.join(", ", items) + "}";
            }
            default -> value.toString();
        };
    }
}
