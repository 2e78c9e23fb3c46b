package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import java.util.HashSet;
import java.util.Set;

/** What the items of lists are told apart by: a scalar, or the value of an object's merge key. Stateless. */
final class Keys {
    private Keys() {}

    static Set<JsonNode> none() {
        return new HashSet<>();
    }

    static Set<String> texts(JsonNode list) {
        var texts = new HashSet<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** A form in which numbers that are the same are equal. */
    static JsonNode normal(JsonNode value) {
        return value.isNumber() ? DecimalNode.valueOf(value.decimalValue().stripTrailingZeros()) : value;
    }

    /**
     * What an item is told apart by.
     *
     * @param mergeKey empty where the items are scalars
     */
    static JsonNode keyOf(JsonNode item, String mergeKey) {
        if (mergeKey.isEmpty()) {
            return normal(item);
        }
        JsonNode value = item.get(mergeKey);
        if (value == null) {
            throw StrategicMergePatch.failure("map: " + item + " does not contain declared merge key: " + mergeKey);
        }
        return normal(value);
    }
}
