package io.keelson.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;

/**
 * Where a resourceVersion stands in an object, and what its text means: a decimal number of at most 63 bits, the revision
 * of the object's last change. Stateless.
 */
public final class Versioner {
    public static final Versioner INSTANCE = new Versioner();

    private Versioner() {}

    /**
     * The number that a resourceVersion's text means; empty means 0.
     *
     * @throws ApiException 400 where it is no decimal number
     */
    public long parseResourceVersion(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9' || i > 18 || value > (Long.MAX_VALUE - 9) / 10) {
                throw ApiException.badRequest("invalid resource version: resourceVersion: Invalid value: \"" + text
                        + "\": it must be a decimal number that this server gave out before");
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    /** The resourceVersion that an object carries, 0 where it carries none. */
    public long resourceVersion(ObjectNode object) {
        JsonNode text = object.path("metadata").path("resourceVersion");
        return text.isTextual() ? parseResourceVersion(text.textValue()) : 0;
    }

    /** Takes out of an object what is not to be stored. */
    public void prepareForStorage(ObjectNode object) {
        if (object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("resourceVersion");
            metadata.remove("selfLink");
        }
    }
}
