package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.schema.Schema;
import io.keelson.schema.Schema.PatchStrategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: a merge patch that knows of each list whether it is merged, and by which field its items are told
 * apart. What the schema does not know merges as {@link MergePatch} does it. The result nests no deeper than the deeper of
 * the two.
 *
 * <p>A patch may hold directives besides fields:
 *
 * <ul>
 *   <li>{@code $patch}: {@code replace} or {@code delete} in an object means the object, in a list's item {@code delete}
 *       means the item of that key and {@code replace} the list;
 *   <li>{@code $retainKeys}: the fields of an object that stay, all others go;
 *   <li>{@code $deleteFromPrimitiveList/<list>}: the scalars that leave a list;
 *   <li>{@code $setElementOrder/<list>}: how the items stand that the client knows of; see {@link ElementOrder}.
 * </ul>
 *
 * <p>Stateless and thread-safe. A patch that is malformed is answered with 400, one that breaks the rules of the lists it
 * names with 500, as kube-apiserver answers and its clients know it.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/">Patching</a>
 */
public final class StrategicMergePatch {
    private static final String PATCH = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList";
    private static final String ORDER = "$setElementOrder";

    private static final Status.Details NO_DETAILS = Status.Details.causes(List.of());

    private StrategicMergePatch() {}

    /**
     * Applies a patch to a copy of an object. Neither argument is changed, nor shared with the result, so that a patch can
     * be applied again to a newer state.
     *
     * @param schema of the object
     * @throws ApiException 400 where the patch is not an object or a directive has the wrong form, 500 where a list's item
     *     lacks its merge key, a directive is unknown, or an order contradicts the list that it is of
     */
    public static ObjectNode apply(ObjectNode original, JsonNode patch, Schema schema) {
        if (!(patch instanceof ObjectNode changes)) {
            throw ApiException.badRequest("error decoding patch: a strategic merge patch is an object");
        }
        return merge(original, changes, schema).deepCopy();
    }

    /** Shares with its arguments whatever they have in common with the result. */
    private static ObjectNode merge(ObjectNode original, ObjectNode patch, @Nullable Schema schema) {
        JsonNode directive = patch.get(PATCH);
        if (directive != null) {
            return switch (directive.asText()) {
                case "replace" -> merge(Json.object(), without(patch, PATCH), schema);
                case "delete" -> Json.object();
                default -> throw unknownDirective(directive, patch);
            };
        }
        ObjectNode result = copyOf(original);
        ObjectNode changes = patch;
        if (patch.has(RETAIN_KEYS)) {
            changes = without(patch, RETAIN_KEYS);
            retainKeys(result, changes, patch.get(RETAIN_KEYS));
        }
        for (var change : changes.properties()) {
            if (!isParallelList(change.getKey())) {
                mergeField(result, change.getKey(), change.getValue(), schema);
            }
        }
        for (var change : changes.properties()) {
            if (change.getKey().startsWith(ORDER)) {
                order(result, original, changes, change.getKey(), schema);
            }
        }
        for (var change : changes.properties()) {
            if (change.getKey().startsWith(DELETE_FROM)) {
                deleteFrom(result, change.getKey(), change.getValue());
            }
        }
        return result;
    }

    private static ObjectNode without(ObjectNode patch, String field) {
        return copyOf(patch).without(field);
    }

    private static ObjectNode copyOf(ObjectNode object) {
        ObjectNode copy = Json.object();
        copy.setAll(object);
        return copy;
    }

    private static boolean isParallelList(String name) {
        return name.startsWith(ORDER) || name.startsWith(DELETE_FROM);
    }

    private static void retainKeys(ObjectNode result, ObjectNode changes, JsonNode retained) {
        if (!retained.isArray()) {
            throw ApiException.badRequest("invalid patch format of retainKeys");
        }
        var names = Keys.texts(retained);
        for (var change : changes.properties()) {
            boolean sets = !change.getValue().isNull() && !isParallelList(change.getKey());
            if (sets && !names.contains(change.getKey())) {
                throw ApiException.badRequest("invalid patch format of retainKeys");
            }
        }
        result.retain(names);
    }

    private static void mergeField(ObjectNode result, String name, JsonNode value, @Nullable Schema schema) {
        if (value.isNull()) {
            result.remove(name);
        } else {
            result.set(name, merged(result.get(name), value, schema == null ? null : schema.field(name)));
        }
    }

    /** A field's value after a patch; where it has none before, the patch's own with its directives carried out. */
    private static JsonNode merged(@Nullable JsonNode before, JsonNode patch, @Nullable Schema schema) {
        if (patch instanceof ObjectNode changes) {
            boolean replaces = has(schema, PatchStrategy.REPLACE);
            ObjectNode present = before instanceof ObjectNode object && !replaces ? object : Json.object();
            return merge(present, changes, schema);
        }
        if (patch instanceof ArrayNode items) {
            Schema of = schema == null ? null : schema.items();
            if (schema == null || !has(schema, PatchStrategy.MERGE)) {
                return replaced(items, of);
            }
            ArrayNode present = before instanceof ArrayNode array ? array : items.arrayNode();
            return mergeLists(present, items, schema.patchMergeKey(), of);
        }
        return patch;
    }

    private static boolean has(@Nullable Schema schema, PatchStrategy strategy) {
        return schema != null && schema.patchStrategies().contains(strategy);
    }

    /** A list that takes the place of another. Fields that are null in its objects are fields that are not there. */
    private static ArrayNode replaced(ArrayNode items, @Nullable Schema schema) {
        ArrayNode result = items.arrayNode();
        for (JsonNode item : items) {
            result.add(
                    item instanceof ObjectNode object && schema != null && !schema.preservesUnknownFields()
                            ? merge(Json.object(), without(object, PATCH), schema)
                            : item);
        }
        return result;
    }

    // ---- lists that merge

    private static ArrayNode mergeLists(ArrayNode present, ArrayNode patch, String key, @Nullable Schema items) {
        if (present.isEmpty() && patch.isEmpty()) {
            return present;
        }
        if (!ofObjects(present, patch)) {
            return new ElementOrder("").merge(distinct(present, patch), patch, present);
        }
        if (key.isEmpty()) {
            throw failure("cannot merge lists without merge key");
        }
        var merge = new KeyedMerge(present, key);
        var ordinary = patch.arrayNode();
        boolean replace = false;
        for (JsonNode item : patch) {
            JsonNode directive = item.get(PATCH);
            if (directive == null) {
                ordinary.add(item);
                continue;
            }
            switch (directive.asText()) {
                case "delete" -> merge.delete(Keys.keyOf(item, key));
                case "replace" -> replace = true;
                case "merge" -> throw failure("merging lists cannot yet be specified in the patch");
                default -> throw unknownDirective(directive, item);
            }
        }
        if (replace) {
            return replaced(ordinary, items);
        }
        for (JsonNode item : ordinary) {
            merge.put(Keys.keyOf(item, key), before -> merge(before, (ObjectNode) item, items));
        }
        return new ElementOrder(key).merge(merge.result(), ordinary, present);
    }

    /** Whether two lists hold objects, where the other thing that they may both hold is scalars. */
    private static boolean ofObjects(ArrayNode one, ArrayNode other) {
        JsonNode first = one.isEmpty() ? other.get(0) : one.get(0);
        for (ArrayNode list : List.of(one, other)) {
            for (JsonNode item : list) {
                if (item.isArray()) {
                    throw ApiException.of(
                            StatusReason.INVALID,
                            "the server rejected our request due to an error in our request",
                            NO_DETAILS);
                }
                if (item.getNodeType() != first.getNodeType()) {
                    throw failure("list element types are not identical: " + first + " and " + item);
                }
            }
        }
        return first.isObject();
    }

    private static ArrayNode distinct(ArrayNode one, ArrayNode other) {
        ArrayNode all = one.arrayNode();
        var seen = Keys.none();
        for (ArrayNode list : List.of(one, other)) {
            for (JsonNode item : list) {
                if (seen.add(Keys.normal(item))) {
                    all.add(item);
                }
            }
        }
        return all;
    }

    // ---- parallel lists

    private static void order(
            ObjectNode result, ObjectNode original, ObjectNode changes, String directive, @Nullable Schema schema) {
        if (!(changes.get(directive) instanceof ArrayNode order)) {
            throw failure("expected a list at " + directive + ", but received " + changes.get(directive));
        }
        String name = listName(directive, ORDER);
        Schema list = schema == null ? null : schema.field(name);
        if (list == null || !has(list, PatchStrategy.MERGE) || !(result.get(name) instanceof ArrayNode merged)) {
            return;
        }
        var elements = new ElementOrder(list.patchMergeKey());
        if (changes.get(name) instanceof ArrayNode patched) {
            elements.check(patched, order, name);
        }
        ArrayNode before = original.get(name) instanceof ArrayNode array ? array : order.arrayNode();
        result.set(name, elements.merge(merged, order, before));
    }

    private static void deleteFrom(ObjectNode result, String directive, JsonNode leaving) {
        String name = listName(directive, DELETE_FROM);
        if (!leaving.isArray()) {
            throw ApiException.badRequest("invalid patch format of primitive list");
        }
        if (!(result.get(name) instanceof ArrayNode list)) {
            return;
        }
        var gone = Keys.none();
        leaving.forEach(item -> gone.add(Keys.normal(item)));
        ArrayNode kept = list.arrayNode();
        for (JsonNode item : list) {
            if (!gone.contains(Keys.normal(item))) {
                kept.add(item);
            }
        }
        result.set(name, kept);
    }

    private static String listName(String directive, String prefix) {
        if (!directive.startsWith(prefix + "/")) {
            throw ApiException.badRequest(
                    "invalid patch format of " + (prefix.equals(ORDER) ? "setElementOrder list" : "primitive list"));
        }
        return directive.substring(prefix.length() + 1);
    }

    // ---- failures

    private static ApiException unknownDirective(JsonNode directive, JsonNode in) {
        return failure("Unknown patch type '" + directive.asText() + "' in map: " + in);
    }

    /** A patch that cannot be carried out. */
    static ApiException failure(String message) {
        return ApiException.of(StatusReason.UNKNOWN, message);
    }
}
