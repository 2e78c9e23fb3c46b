package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells in one pass over an object's bytes whether pruning and defaulting would leave it as it is. It may say no without need,
 * never yes. Stateless.
 */
public final class FormCheck {
    private static final FormCheck PRUNED_AND_DEFAULTED = new FormCheck(true);
    private static final FormCheck PRUNED = new FormCheck(false);

    private final boolean defaulted;

    private FormCheck(boolean defaulted) {
        this.defaulted = defaulted;
    }

    /**
     * Whether neither pruning nor defaulting changes an object.
     *
     * @param resource the JSON of an object
     * @throws BadJsonException where it is no JSON
     */
    public static boolean fits(StructuralSchema schema, byte[] resource) {
        return PRUNED_AND_DEFAULTED.check(schema, resource);
    }

    /** The same of pruning alone. */
    public static boolean isPruned(StructuralSchema schema, byte[] resource) {
        return PRUNED.check(schema, resource);
    }

    private boolean check(StructuralSchema schema, byte[] resource) {
        try (JsonParser parser = Json.parser(resource)) {
            return parser.nextToken() == JsonToken.START_OBJECT && object(schema, parser);
        } catch (IOException e) {
            throw new BadJsonException("stored object cannot be read: " + e.getMessage(), e);
        }
    }

    private boolean object(@Nullable StructuralSchema schema, JsonParser parser) throws IOException {
        boolean open = schema != null && schema.preservesUnknownFields();
        boolean resource = schema != null && schema.isResource();
        int present = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (resource && StructuralSchema.RESOURCE_FIELDS.contains(name)) {
                parser.skipChildren();
                continue;
            }
            StructuralSchema child = schema == null ? null : schema.child(name);
            if (child == null && !open) {
                return false;
            }
            if (child == null) {
                parser.skipChildren();
                continue;
            }
            if (child.defaultValue() != null) {
                present++;
            }
            if (!value(child, token, parser)) {
                return false;
            }
        }
        return !defaulted || schema == null || present >= schema.defaultedFields();
    }

    private boolean value(@Nullable StructuralSchema schema, JsonToken token, JsonParser parser) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(schema, parser);
            case START_ARRAY -> array(schema, parser);
            case VALUE_NULL -> schema == null || schema.isNullable();
            default -> true;
        };
    }

    private boolean array(@Nullable StructuralSchema schema, JsonParser parser) throws IOException {
        StructuralSchema items = schema == null ? null : schema.itemSchema();
        if (items == null && schema != null && schema.preservesUnknownFields()) {
            parser.skipChildren();
            return true;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (!value(items, token, parser)) {
                return false;
            }
        }
        return true;
    }
}
