package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** {@link Quantity Quantities} in trees. */
public final class Quantities {
    private Quantities() {}

    /** The value of a quantity, null where the node is none. */
    public static @Nullable BigDecimal value(JsonNode node) {
        return Quantity.value(node.isValueNode() ? node.asText() : "");
    }

    /** The value of a quantity, 0 where the node is none. */
    public static BigDecimal valueOrZero(JsonNode node) {
        BigDecimal value = value(node);
        return value == null ? BigDecimal.ZERO : value;
    }

    /** Brings the quantities of a resource list into their canonical form. */
    public static void canonicalize(JsonNode resources) {
        if (resources instanceof ObjectNode object) {
            for (var entry : object.properties()) {
                entry.setValue(object.textNode(canonical(entry.getValue().asText())));
            }
        }
    }

    /** Brings one field into the canonical form, where it is there. */
    public static void canonicalize(ObjectNode object, String field) {
        if (Trees.has(object, field)) {
            object.put(field, canonical(object.path(field).asText()));
        }
    }

    /**
     * @throws MalformedValueException where the text is no quantity
     */
    public static String canonical(String text) {
        try {
            return Quantity.canonical(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedValueException(String.valueOf(e.getMessage()));
        }
    }
}
