package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The items of a list that is no atom, by their {@link PathElements}. Stored lists may hold several items of the same keys,
 * which are then owned together; items without keys are owned by nobody.
 */
record ListItems(Map<String, List<JsonNode>> byElement) {
    static ListItems of(JsonNode list, Schema schema) {
        Map<String, List<JsonNode>> items = LinkedHashMap.newLinkedHashMap(list.size());
        for (JsonNode item : list) {
            String element = PathElements.item(item, schema);
            if (element != null) {
                items.merge(element, List.of(item), ListItems::joined);
            }
        }
        return new ListItems(items);
    }

    private static List<JsonNode> joined(List<JsonNode> some, List<JsonNode> more) {
        var all = new ArrayList<JsonNode>(some);
        all.addAll(more);
        return all;
    }

    List<JsonNode> at(String element) {
        return byElement.getOrDefault(element, List.of());
    }
}
