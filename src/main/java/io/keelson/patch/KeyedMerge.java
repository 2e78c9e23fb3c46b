package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list of objects while items of a patch are merged into it. Where a key is there twice, its first item is the one that is
 * merged into, and deletion takes both. Not thread-safe.
 */
final class KeyedMerge {
    private final ArrayNode origin;

    /** In order; null where an item has been deleted. */
    private final List<@Nullable ObjectNode> items = new ArrayList<>();

    /** Where the items of each key stand. */
    private final Map<JsonNode, List<Integer>> places = new HashMap<>();

    KeyedMerge(ArrayNode present, String mergeKey) {
        this.origin = present;
        for (JsonNode item : present) {
            add(Keys.keyOf(item, mergeKey), (ObjectNode) item);
        }
    }

    private void add(JsonNode key, ObjectNode item) {
        places.computeIfAbsent(key, _ -> new ArrayList<>()).add(items.size());
        items.add(item);
    }

    void delete(JsonNode key) {
        List<Integer> all = places.remove(key);
        if (all != null) {
            all.forEach(place -> items.set(place, null));
        }
    }

    /** Puts what is made of the item of a key, or of an empty object, in its place, or at the end. */
    void put(JsonNode key, UnaryOperator<ObjectNode> change) {
        List<Integer> all = places.get(key);
        ObjectNode before = all == null ? null : items.get(all.getFirst());
        if (all == null || before == null) {
            add(key, change.apply(Json.object()));
        } else {
            items.set(all.getFirst(), change.apply(before));
        }
    }

    /** The items that are left, some of which are those of the list that this began with. */
    ArrayNode result() {
        ArrayNode result = origin.arrayNode();
        for (ObjectNode item : items) {
            if (item != null) {
                result.add(item);
            }
        }
        return result;
    }
}
