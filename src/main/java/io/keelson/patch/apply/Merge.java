package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.schema.Schema;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lays an applied configuration over an object. Maps are merged field by field; lists of the types set and map item by item;
 * scalars and atoms are replaced. What the configuration does not name stays: {@link Pruning} takes away what its manager
 * gives up.
 *
 * <p>Order of merged lists: items that only the object has keep their place before the item that followed them; items of the
 * configuration keep its order. Stateless and thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Merge strategy</a>
 */
final class Merge {
    private Merge() {}

    /** Changes an object; the configuration stays as it is, and is not shared with the result. */
    static void into(ObjectNode object, ObjectNode configuration, @Nullable Schema schema) {
        for (var field : configuration.properties()) {
            String name = field.getKey();
            JsonNode applied = field.getValue();
            JsonNode present = object.get(name);
            if (applied.isNull()) {
                object.remove(name);
            } else {
                object.set(name, merged(present, applied, schema == null ? null : schema.field(name)));
            }
        }
    }

    private static JsonNode merged(@Nullable JsonNode present, JsonNode applied, @Nullable Schema schema) {
        Structure structure = Structure.of(applied, schema);
        if (structure == Structure.MAP && applied instanceof ObjectNode map) {
            // Without a present one too, so that nulls in it are left out.
            ObjectNode target = present instanceof ObjectNode object ? object : map.objectNode();
            into(target, map, schema);
            return target;
        }
        if (structure == Structure.LIST && applied instanceof ArrayNode list) {
            ArrayNode base = present instanceof ArrayNode array ? array : list.arrayNode();
            return new Lists(base, list, Objects.requireNonNull(schema)).merged();
        }
        return applied.deepCopy();
    }

    /** The merge of one list. */
    private static final class Lists {
        private final ArrayNode present;
        private final Schema schema;
        private final Map<String, List<JsonNode>> presentItems;
        private final Map<String, List<JsonNode>> appliedItems;
        private final ArrayNode out;
        private int next;

        Lists(ArrayNode present, ArrayNode applied, Schema schema) {
            this.present = present;
            this.schema = schema;
            this.presentItems = ListItems.of(present, schema).byElement();
            this.appliedItems = ListItems.of(applied, schema).byElement();
            this.out = present.arrayNode(present.size() + applied.size());
        }

        ArrayNode merged() {
            var sharedLeft = new ArrayDeque<String>();
            for (String element : appliedItems.keySet()) {
                if (presentItems.containsKey(element)) {
                    sharedLeft.add(element);
                }
            }
            for (var applied : appliedItems.entrySet()) {
                takeUpTo(sharedLeft.peek());
                List<JsonNode> same = presentItems.getOrDefault(applied.getKey(), List.of());
                JsonNode base = same.size() == 1 ? same.getFirst() : null;
                out.add(Merge.merged(base, applied.getValue().getFirst(), schema.items()));
                if (applied.getKey().equals(sharedLeft.peek())) {
                    sharedLeft.remove();
                }
            }
            takeUpTo(null);
            return out;
        }

        /** Takes over the items that only the object has, up to the one that the configuration comes to next. */
        private void takeUpTo(@Nullable String nextShared) {
            Set<String> applied = appliedItems.keySet();
            for (; next < present.size(); next++) {
                String element = PathElements.item(present.get(next), schema);
                if (element != null && element.equals(nextShared)) {
                    return;
                }
                if (element == null || !applied.contains(element)) {
                    out.add(present.get(next));
                }
            }
        }
    }
}
