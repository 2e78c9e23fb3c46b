package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The bounds that a schema sets to sizes and numbers.
 *
 * @param pattern a regular expression of RE2; empty where there is none
 * @param minLength in characters, as are all sizes in what they count; negative where there is none
 */
record Limits(
        String pattern,
        long minLength,
        long maxLength,
        long minItems,
        long maxItems,
        long minProperties,
        long maxProperties,
        @Nullable JsonNode minimum,
        boolean exclusiveMinimum,
        @Nullable JsonNode maximum,
        boolean exclusiveMaximum,
        @Nullable JsonNode multipleOf) {
    private static final Limits NONE = new Limits("", -1, -1, -1, -1, -1, -1, null, false, null, false, null);

    /** The limits of a schema; null where it has none. */
    static @Nullable Limits of(JsonNode node) {
        var limits = new Limits(
                node.path("pattern").asText(),
                node.path("minLength").asLong(-1),
                node.path("maxLength").asLong(-1),
                node.path("minItems").asLong(-1),
                node.path("maxItems").asLong(-1),
                node.path("minProperties").asLong(-1),
                node.path("maxProperties").asLong(-1),
                node.get("minimum"),
                node.path("exclusiveMinimum").asBoolean(),
                node.get("maximum"),
                node.path("exclusiveMaximum").asBoolean(),
                node.get("multipleOf"));
        return limits.equals(NONE) ? null : limits;
    }
}
