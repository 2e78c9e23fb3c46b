package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.schema.Schema;
import java.math.BigDecimal;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** How the owners of a value share it: as a whole, by its fields, or by its items. */
enum Structure {
    /** A scalar, an atomic list or an atomic map: owned as a whole. */
    LEAF,
    /** Each field has its own owners. */
    MAP,
    /** Each item has its own owners. */
    LIST;

    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> {
        if (one.isNumber() && other.isNumber()) {
            return decimal(one).compareTo(decimal(other));
        }
        return one.equals(other) ? 0 : 1;
    };

    private static BigDecimal decimal(JsonNode number) {
        return number.decimalValue();
    }

    /**
     * The structure of a value. Where nothing is known of its fields, its objects are shared by their fields and its lists
     * are atomic.
     */
    static Structure of(JsonNode value, @Nullable Schema schema) {
        if (value.isObject()) {
            return schema != null && (schema.atomicMap() || isOpaque(schema)) ? LEAF : MAP;
        }
        if (value.isArray() && schema != null) {
            boolean atomic = schema.listType() == Schema.ListType.ATOMIC || schema.items() == null;
            return atomic ? LEAF : LIST;
        }
        return LEAF;
    }

    /** Whether an object is declared without a word of its fields, such as the data of a controller revision. */
    private static boolean isOpaque(Schema schema) {
        return schema.type() == Schema.Type.OBJECT
                && schema.properties().isEmpty()
                && schema.additionalProperties() == null;
    }

    /** The structure that two states of a value have in common; null stands for an empty one of the other's structure. */
    static Structure ofBoth(JsonNode old, JsonNode now, @Nullable Schema schema) {
        Structure structure = of(now.isNull() ? old : now, schema);
        boolean fits = old.isNull() || now.isNull() || old.getNodeType() == now.getNodeType();
        return fits && !(isBare(old) && isBare(now)) ? structure : LEAF;
    }

    /** Whether there is nothing below a value. */
    static boolean isBare(JsonNode value) {
        return value.isEmpty();
    }

    /** Whether two values are the same, whatever Java type carries their numbers. */
    @SuppressWarnings("ReferenceEquality") // only saves a walk
    static boolean same(JsonNode one, JsonNode other) {
        return one == other || one.equals(BY_VALUE, other);
    }
}
