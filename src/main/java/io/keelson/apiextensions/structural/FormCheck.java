package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells in one pass over an object's bytes whether pruning and defaulting would leave it as it is. It may say no without need,
 * never yes. Stateless.
 */
public final class FormCheck {
    private FormCheck() {}

    /** @param parser at the start of a resource; at its end afterwards where the answer is yes */
    public static boolean fits(StructuralSchema schema, JsonParser parser) throws IOException {
        return object(schema, parser);
    }

    private static boolean object(@Nullable StructuralSchema schema, JsonParser parser) throws IOException {
        boolean open = schema != null && schema.preservesUnknownFields();
        boolean resource = schema != null && schema.isResource();
        int defaulted = 0;
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
                defaulted++;
            }
            if (!value(child, token, parser)) {
                return false;
            }
        }
        return schema == null || defaulted >= schema.defaultedFields();
    }

    private static boolean value(@Nullable StructuralSchema schema, JsonToken token, JsonParser parser)
            throws IOException {
        return switch (token) {
            case START_OBJECT -> object(schema, parser);
            case START_ARRAY -> array(schema, parser);
            case VALUE_NULL -> schema == null || schema.isNullable();
            default -> true;
        };
    }

    private static boolean array(@Nullable StructuralSchema schema, JsonParser parser) throws IOException {
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
