package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.schema.Schema;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a merged object what its applier gives up: each field or item that it applied the last time and that now
 * neither it nor any other manager owns, with all that is below it. An object of declared fields counts as owned by whoever
 * owns anything in it. What nobody ever applied, such as defaults, stays, unless the object around it goes. Stateless and
 * thread-safe.
 */
final class Pruning {
    private Pruning() {}

    /**
     * @param last what the manager owned before
     * @param owned what any manager owns now, this one included
     */
    static void prune(ObjectNode object, ObjectNode last, @Nullable ObjectNode owned, @Nullable Schema schema) {
        map(object, last, owned, schema, true);
    }

    private static void map(
            ObjectNode object, ObjectNode last, @Nullable ObjectNode owned, @Nullable Schema schema, boolean root) {
        for (Iterator<String> names = last.fieldNames(); names.hasNext(); ) {
            String element = names.next();
            String name = PathElements.fieldName(element);
            JsonNode value = name == null ? null : object.get(name);
            if (name == null || value == null) {
                continue;
            }
            boolean declared = schema != null && schema.properties().containsKey(name);
            ObjectNode lastBelow = (ObjectNode) last.get(element);
            ObjectNode ownedBelow = below(owned, element);
            boolean identity = root && name.equals("metadata");
            boolean givenUp = !identity
                    && (declared || FieldSets.isMember(lastBelow))
                    && (ownedBelow == null || !(declared || FieldSets.isMember(ownedBelow)));
            boolean ownedEmpty = ownedBelow != null && FieldSets.isMember(ownedBelow);
            Schema below = schema == null ? null : schema.field(name);
            if (givenUp || (!staysAfterPruning(value, lastBelow, ownedBelow, below) && !ownedEmpty)) {
                object.remove(name);
            }
        }
    }

    /** Prunes below a value; false where that leaves nothing of it. */
    private static boolean staysAfterPruning(
            JsonNode value, ObjectNode last, @Nullable ObjectNode owned, @Nullable Schema schema) {
        if (value.isEmpty()) {
            return true;
        }
        switch (Structure.of(value, schema)) {
            case MAP -> map((ObjectNode) value, last, owned, schema, false);
            case LIST -> list((ArrayNode) value, last, owned, schema);
            case LEAF -> {
                return true;
            }
        }
        return !value.isEmpty();
    }

    private static void list(ArrayNode list, ObjectNode last, @Nullable ObjectNode owned, @Nullable Schema schema) {
        for (Iterator<JsonNode> items = list.elements(); schema != null && items.hasNext(); ) {
            JsonNode item = items.next();
            String element = PathElements.item(item, schema);
            ObjectNode lastBelow = element == null ? null : below(last, element);
            if (element == null || lastBelow == null) {
                continue;
            }
            ObjectNode ownedBelow = below(owned, element);
            boolean givenUp = FieldSets.isMember(lastBelow) && (ownedBelow == null || !FieldSets.isMember(ownedBelow));
            if (givenUp || !staysAfterPruning(item, lastBelow, ownedBelow, schema.items())) {
                items.remove();
            }
        }
    }

    private static @Nullable ObjectNode below(@Nullable ObjectNode set, String element) {
        return set != null && set.get(element) instanceof ObjectNode child ? child : null;
    }
}
