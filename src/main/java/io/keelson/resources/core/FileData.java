package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;

/** The content of config maps and secrets: entries named as files, binary ones in base64. */
final class FileData {
    /** The most that all entries together hold, in bytes. */
    static final int MAX_BYTES = 1024 * 1024;

    private FileData() {}

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
