package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the items of a merged list stand. Those that the client knows of stand as it has them; those that only the server has
 * keep their order among themselves; and of one of each, the server's comes first where it was before the other in the list
 * that was patched, and the client's where it was not, or is new.
 *
 * @param mergeKey empty where the items are scalars
 * @see <a href="https://github.com/kubernetes/design-proposals-archive/blob/main/cli/preserve-order-in-strategic-merge-patch.md">
 *     Preserve order in strategic merge patch</a>
 */
record ElementOrder(String mergeKey) {
    /**
     * Orders a list.
     *
     * @param client the items that the client knows of, or their keys, in its order
     * @param server the list as it was before the patch
     */
    ArrayNode merge(ArrayNode items, ArrayNode client, ArrayNode server) {
        Map<JsonNode, Integer> clientPlaces = places(client);
        Map<JsonNode, Integer> serverPlaces = places(server);
        List<JsonNode> known = new ArrayList<>();
        List<JsonNode> serverOnly = new ArrayList<>();
        for (JsonNode item : items) {
            (clientPlaces.containsKey(key(item)) ? known : serverOnly).add(item);
        }
        sort(known, clientPlaces);
        sort(serverOnly, serverPlaces);
        ArrayNode result = items.arrayNode();
        int next = 0;
        for (JsonNode item : known) {
            Integer place = serverPlaces.get(key(item));
            while (place != null && next < serverOnly.size() && stood(serverOnly.get(next), place, serverPlaces)) {
                result.add(serverOnly.get(next++));
            }
            result.add(item);
        }
        serverOnly.subList(next, serverOnly.size()).forEach(result::add);
        return result;
    }

    private boolean stood(JsonNode item, int before, Map<JsonNode, Integer> places) {
        Integer place = places.get(key(item));
        return place != null && place < before;
    }

    /** Checks that the items of a patch stand in the order that the patch asks for, and are all part of it. */
    void check(ArrayNode patch, ArrayNode order, String name) {
        Map<JsonNode, Integer> places = places(order);
        int last = -1;
        for (JsonNode item : patch) {
            if (item.has("$patch") || order.isEmpty()) {
                continue;
            }
            Integer place = places.get(key(item));
            if (place == null || place < last) {
                throw StrategicMergePatch.failure("The order in patch list:\n" + patch
                        + "\n doesn't match $setElementOrder/" + name + " list:\n" + order);
            }
            last = place;
        }
    }

    private JsonNode key(JsonNode item) {
        return Keys.keyOf(item, mergeKey);
    }

    private Map<JsonNode, Integer> places(ArrayNode list) {
        var places = new HashMap<JsonNode, Integer>();
        for (int i = 0; i < list.size(); i++) {
            places.putIfAbsent(key(list.get(i)), i);
        }
        return places;
    }

    private void sort(List<JsonNode> items, Map<JsonNode, Integer> places) {
        items.sort(Comparator.comparingInt(item -> places.getOrDefault(key(item), Integer.MAX_VALUE)));
    }
}
