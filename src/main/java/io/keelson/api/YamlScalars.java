package io.keelson.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/** What YAML's scalars mean as JSON. */
final class YamlScalars {
    private static final String TAG = "tag:yaml.org,2002:";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUES = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSES = Set.of("false", "False", "FALSE");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern NO_NUMBER = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    /** What other YAML readers may take for a boolean or null, so that a writer must quote it. */
    private static final Set<String> WORDS = Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private static final Pattern SAFE = Pattern.compile("[A-Za-z/_][A-Za-z0-9/_.-]*(:[A-Za-z0-9/_.-]+)*");

    private YamlScalars() {}

    /** @throws IllegalArgumentException with what is wrong, where the scalar has no meaning in JSON */
    static JsonNode resolve(ScalarEvent scalar) {
        String text = scalar.getValue();
        String tag = scalar.getTag().orElse(scalar.isPlain() ? "" : "!");
        if (tag.isEmpty()) {
            return plain(text);
        }
        if (tag.equals("!") || tag.equals(TAG + "str")) {
            return string(text);
        }
        JsonNode value = plain(text);
        boolean fits = switch (tag) {
            case TAG + "null" -> value.isNull();
            case TAG + "bool" -> value.isBoolean();
            case TAG + "int" -> value.isIntegralNumber();
            case TAG + "float" -> value.isNumber();
            default -> throw new IllegalArgumentException("tag " + tag + " is not supported");
        };
        if (!fits) {
            throw new IllegalArgumentException("\"" + text + "\" is no " + tag.substring(TAG.length()));
        }
        return value;
    }

    /** Whether a string written without quotes is read as that string, here and by other readers. */
    static boolean safePlain(String text) {
        return SAFE.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    }

    private static JsonNode plain(String text) {
        if (NULLS.contains(text)) {
            return NODES.nullNode();
        }
        char first = text.charAt(0);
        if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
            return number(text);
        }
        if (TRUES.contains(text)) {
            return NODES.booleanNode(true);
        }
        return FALSES.contains(text) ? NODES.booleanNode(false) : string(text);
    }

    private static JsonNode number(String text) {
        if (NO_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is no JSON number");
        }
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        int radix = radix(digits);
        int from = radix == 10 ? 0 : Character.isLetter(digits.charAt(1)) ? 2 : 1;
        if (allDigits(digits, from, radix)) {
            bound(text);
            var whole = new BigInteger(digits.substring(from), radix);
            return whole(text.startsWith("-") ? whole.negate() : whole);
        }
        if (FLOAT.matcher(text).matches()) {
            bound(text);
            return allDigits(digits, 0, 10) ? whole(new BigInteger(text)) : decimal(text);
        }
        return string(text);
    }

    private static int radix(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return 10;
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            case 'o', 'O', '0', '1', '2', '3', '4', '5', '6', '7' -> 8;
            default -> 10;
        };
    }

    private static boolean allDigits(String text, int from, int radix) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) > 'f' || Character.digit(text.charAt(i), radix) < 0) {
                return false;
            }
        }
        return from < text.length();
    }

    private static void bound(String number) {
        if (number.length() > Json.MAX_NUMBER_LENGTH) {
            throw new IllegalArgumentException("a number is longer than " + Json.MAX_NUMBER_LENGTH + " characters");
        }
    }

    /** The narrowest node, as the JSON parser chooses it. */
    private static JsonNode whole(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return NODES.numberNode(value.intValue());
        }
        return value.bitLength() < Long.SIZE ? NODES.numberNode(value.longValue()) : NODES.numberNode(value);
    }

    private static JsonNode decimal(String text) {
        try {
            return NODES.numberNode(new BigDecimal(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the exponent of " + text + " is too large");
        }
    }

    private static JsonNode string(String text) {
        if (Utf8.hasLoneSurrogate(text)) {
            throw new IllegalArgumentException("half of a surrogate pair is no character");
        }
        return NODES.textNode(text);
    }
}
