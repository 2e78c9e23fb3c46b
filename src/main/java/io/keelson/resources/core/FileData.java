package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.MalformedValueException;
import java.util.regex.Pattern;

/** The content of config maps and secrets: entries named as files, binary ones in base64. */
final class FileData {
    /** The most that all entries together hold, in bytes. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final Pattern LINE_ENDS = Pattern.compile("[\r\n]");
    private static final Pattern ALPHABET = Pattern.compile("[A-Za-z0-9+/]*");

    private FileData() {}

    /**
     * Takes the line ends out of base64.
     *
     * @throws MalformedValueException where a value is not base64
     */
    static void normalize(JsonNode data) {
        if (data instanceof ObjectNode object) {
            for (var entry : object.properties()) {
                String text = LINE_ENDS.matcher(entry.getValue().asText()).replaceAll("");
                checkBase64(text);
                entry.setValue(object.textNode(text));
            }
        }
    }

    private static void checkBase64(String text) {
        int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
        var digits = ALPHABET.matcher(text).region(0, text.length() - padding);
        digits.lookingAt();
        if (digits.end() < text.length() - padding || text.length() % 4 != 0) {
            throw new MalformedValueException("illegal base64 data at input byte " + digits.end());
        }
    }

    /** How many bytes base64 entries hold, from their texts' lengths. */
    static long decodedSize(JsonNode data) {
        long bytes = 0;
        for (JsonNode value : data) {
            String text = value.asText();
            int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
            bytes += text.length() / 4 * 3L - padding;
        }
        return bytes;
    }

    static void checkKeys(Faults faults, String path, JsonNode data) {
        for (var entry : data.properties()) {
            faults.rule(path + "[" + entry.getKey() + "]", entry.getKey(), Names::configKey);
        }
    }
}
