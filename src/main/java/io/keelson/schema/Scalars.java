package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.keelson.api.Quantity;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts with a form of their own, brought into the one form in which they are stored. Stateless; each method throws
 * {@link MalformedObjectException} where a text has not that form.
 */
final class Scalars {
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d([.,]\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    private static final int MICRO_DIGITS = 6;

    /** What base64 digits stand for; 0 for what is none, where the digit A is told apart by itself. */
    private static final byte[] DIGITS = new byte[128];

    static {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            DIGITS[alphabet.charAt(i)] = (byte) i;
        }
    }

    private Scalars() {}

    /** A moment: in UTC, in whole seconds or with six digits of their fraction. */
    static JsonNode time(JsonNode node, boolean micros) {
        String text = node.textValue();
        try {
            var form = TIME.matcher(text);
            if (!form.matches() || (micros && fractionDigits(form.group(1)) != MICRO_DIGITS)) {
                throw malformedTime(text, micros);
            }
            if (text.endsWith("Z") && (micros || form.group(1) == null)) {
                // Already in its form; whether there is such a day and hour is left to ask.
                OffsetDateTime.parse(text);
                return node;
            }
            OffsetDateTime time = OffsetDateTime.parse(text.replace(',', '.')).withOffsetSameInstant(ZoneOffset.UTC);
            return TextNode.valueOf((micros ? MICROS : SECONDS).format(time));
        } catch (DateTimeParseException e) {
            throw malformedTime(text, micros);
        }
    }

    private static int fractionDigits(@Nullable String fraction) {
        return fraction == null ? 0 : fraction.length() - 1;
    }

    private static MalformedObjectException malformedTime(String text, boolean micros) {
        String layout = micros ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
        return new MalformedObjectException(
                "parsing time " + TextNode.valueOf(text) + " as \"" + layout + "\": it has another form");
    }

    /** Bytes in base64: without the line ends that encoders put into it. */
    static JsonNode base64(JsonNode node) {
        String given = node.textValue();
        boolean folded = given.indexOf('\n') >= 0 || given.indexOf('\r') >= 0;
        String text = folded ? given.replace("\n", "").replace("\r", "") : given;
        int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
        int digits = text.length() - padding;
        for (int i = 0; i < digits; i++) {
            char c = text.charAt(i);
            if (c >= DIGITS.length || (DIGITS[c] == 0 && c != 'A')) {
                throw new MalformedObjectException("illegal base64 data at input byte " + i);
            }
        }
        if (text.length() % 4 != 0) {
            throw new MalformedObjectException("illegal base64 data at input byte " + digits);
        }
        boolean spare = padding > 0 && (DIGITS[text.charAt(digits - 1)] & (padding == 2 ? 0xf : 0x3)) != 0;
        if (spare) {
            byte[] bytes = Base64.getDecoder().decode(text);
            return TextNode.valueOf(Base64.getEncoder().encodeToString(bytes));
        }
        return folded ? TextNode.valueOf(text) : node;
    }

    /** A quantity: its canonical text. */
    static JsonNode quantity(JsonNode node) {
        String text = node.asText().strip();
        try {
            String canonical = Quantity.canonical(text);
            return node.isTextual() && canonical.equals(node.textValue()) ? node : TextNode.valueOf(canonical);
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }
}
