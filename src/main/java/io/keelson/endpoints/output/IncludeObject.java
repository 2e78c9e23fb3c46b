package io.keelson.endpoints.output;

import io.keelson.api.ApiException;
import org.jspecify.annotations.Nullable;

/** What of its object a row of a table carries, as the {@code includeObject} parameter says. */
public enum IncludeObject {
    NONE("None"),
    METADATA("Metadata"),
    OBJECT("Object");

    private final String wire;

    IncludeObject(String wire) {
        this.wire = wire;
    }

    /**
     * Reads the parameter; null and empty mean the metadata.
     *
     * @throws ApiException 400 for any other value
     */
    public static IncludeObject parse(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return METADATA;
        }
        for (IncludeObject include : values()) {
            if (include.wire.equals(value)) {
                return include;
            }
        }
        throw ApiException.badRequest(
                "includeObject: unknown value \"" + value + "\", known are None, Metadata and Object");
    }
}
