package io.keelson.endpoints;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Writes texts as the values of Warning headers, each once, in the order in which they came. Stateless.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7234#section-5.5">RFC 7234</a>
 */
final class WarningHeaders {
    /** How long all texts of an answer may be together, in characters; those that go beyond are left out. */
    static final int MAX_TOTAL = 4 * 1024;

    /** How much of each text is sent where all of them together are too long, in characters. */
    static final int MAX_EACH = 256;

    private WarningHeaders() {}

    static List<String> of(List<String> texts) {
        if (texts.isEmpty()) {
            return List.of();
        }
        var distinct = new LinkedHashSet<>(texts);
        int total = distinct.stream().mapToInt(String::length).sum();
        var headers = new ArrayList<String>(distinct.size());
        int room = MAX_TOTAL;
        for (String text : distinct) {
            String sent = total > MAX_TOTAL && text.length() > MAX_EACH ? text.substring(0, MAX_EACH) : text;
            room -= sent.length();
            if (room < 0) {
                break;
            }
            headers.add("299 - \"" + quoted(sent) + "\"");
        }
        return headers;
    }

    /** A quoted string's content. What is not ASCII goes as its bytes in UTF-8, of which a header takes each for a character. */
    private static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 8);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c < ' ' || c == 0x7f ? ' ' : c);
        }
        return quoted.toString();
    }
}
