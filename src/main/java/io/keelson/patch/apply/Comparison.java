package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.schema.Schema;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which fields differ between two states of an object, found in one walk of both.
 *
 * <p>A field that was not there before counts as changed with all that is below it, objects and lists included. Fields of
 * built-in kinds that kube-apiserver's Go types always write, since they are no pointers, count as there: nobody comes to
 * own the {@code spec} of a deployment, only what is in it.
 */
final class Comparison {
    private static final ObjectNode EMPTY = Json.object();

    private final ObjectType type;

    /** The results of the latest step of the walk. */
    private @Nullable ObjectNode changed;

    private @Nullable ObjectNode removed;

    private Comparison(ObjectType type) {
        this.type = type;
    }

    /** What differs, with null for nothing. */
    record Result(@Nullable ObjectNode changed, @Nullable ObjectNode removed) {
        boolean isEmpty() {
            return changed == null && removed == null;
        }
    }

    /** @param old the former state, an empty object for none */
    static Result of(ObjectNode old, ObjectNode now, ObjectType type, Scope scope) {
        var walk = new Comparison(type);
        walk.map(old, now, type.schema(), scope::counts, true);
        return new Result(walk.changed, walk.removed);
    }

    @SuppressWarnings("ReferenceEquality") // only saves a walk
    private void compare(@Nullable JsonNode old, @Nullable JsonNode now, @Nullable Schema schema) {
        changed = null;
        removed = null;
        if (old == now) {
            return;
        }
        if (old == null) {
            changed = everything(now == null ? NullNode.instance : now, schema);
        } else if (now == null) {
            removed = everything(old, schema);
        } else {
            switch (Structure.ofBoth(old, now, schema)) {
                case LEAF -> changed = Structure.same(old, now) ? null : FieldSets.LEAF;
                case MAP -> map(old, now, schema, name -> true, false);
                case LIST -> list(old, now, schema);
            }
        }
    }

    /** @param root whether this is the object itself, whose metadata is always there */
    private void map(JsonNode old, JsonNode now, @Nullable Schema schema, Predicate<String> counts, boolean root) {
        ObjectNode changedHere = null;
        ObjectNode removedHere = null;
        for (var field : now.properties()) {
            String name = field.getKey();
            if (counts.test(name)) {
                field(old.get(name), field.getValue(), schema, name, root);
                changedHere = FieldSets.with(changedHere, PathElements.field(name), changed);
                removedHere = FieldSets.with(removedHere, PathElements.field(name), removed);
            }
        }
        for (var field : old.properties()) {
            String name = field.getKey();
            if (counts.test(name) && !now.has(name)) {
                field(field.getValue(), null, schema, name, root);
                changedHere = FieldSets.with(changedHere, PathElements.field(name), changed);
                removedHere = FieldSets.with(removedHere, PathElements.field(name), removed);
            }
        }
        changed = changedHere;
        removed = removedHere;
    }

    private void field(
            @Nullable JsonNode old, @Nullable JsonNode now, @Nullable Schema parent, String name, boolean root) {
        Schema schema = parent == null ? null : parent.field(name);
        if (root && name.equals("metadata")) {
            map(old == null ? EMPTY : old, now == null ? EMPTY : now, schema, Scope::countsInMetadata, false);
        } else {
            compare(orZero(old, parent, name), orZero(now, parent, name), schema);
        }
    }

    /** A field's value, or the one that Go's types write where it has none. */
    private @Nullable JsonNode orZero(@Nullable JsonNode value, @Nullable Schema parent, String name) {
        Schema property = parent == null ? null : parent.properties().get(name);
        if (value != null || property == null || !type.builtin()) {
            return value;
        }
        JsonNode zero = property.defaultValue();
        if (zero != null && zero.isObject() && zero.isEmpty()) {
            return zero;
        }
        if (parent != null && parent.required().contains(name)) {
            return zero == null ? NullNode.instance : zero;
        }
        return null;
    }

    private void list(JsonNode old, JsonNode now, @Nullable Schema schema) {
        Schema list = Objects.requireNonNull(schema);
        ObjectNode changedHere = null;
        ObjectNode removedHere = null;
        var oldItems = ListItems.of(old, list);
        var items = ListItems.of(now, list);
        for (var item : items.byElement().entrySet()) {
            item(oldItems.at(item.getKey()), item.getValue(), list.items());
            changedHere = FieldSets.with(changedHere, item.getKey(), changed);
            removedHere = FieldSets.with(removedHere, item.getKey(), removed);
        }
        for (var item : oldItems.byElement().entrySet()) {
            if (items.at(item.getKey()).isEmpty()) {
                item(item.getValue(), List.of(), list.items());
                removedHere = FieldSets.with(removedHere, item.getKey(), removed);
            }
        }
        changed = changedHere;
        removed = removedHere;
    }

    /** Compares the items of one element; several of them are one leaf. */
    private void item(List<JsonNode> old, List<JsonNode> now, @Nullable Schema schema) {
        if (old.size() <= 1 && now.size() <= 1) {
            compare(old.isEmpty() ? null : old.getFirst(), now.isEmpty() ? null : now.getFirst(), schema);
            return;
        }
        changed = now.isEmpty() || old.equals(now) ? null : FieldSets.LEAF;
        removed = now.isEmpty() ? FieldSets.LEAF : null;
    }

    /** All that is in a value, itself included. */
    private static ObjectNode everything(JsonNode value, @Nullable Schema schema) {
        Structure structure = Structure.of(value, schema);
        if (structure == Structure.LEAF || value.isEmpty()) {
            return FieldSets.LEAF;
        }
        ObjectNode set = Json.object();
        set.set(FieldSets.SELF, FieldSets.LEAF);
        if (structure == Structure.MAP) {
            for (var field : value.properties()) {
                Schema below = schema == null ? null : schema.field(field.getKey());
                set.set(PathElements.field(field.getKey()), everything(field.getValue(), below));
            }
        } else {
            Schema list = Objects.requireNonNull(schema);
            ListItems.of(value, list)
                    .byElement()
                    .forEach((element, items) -> set.set(
                            element, items.size() == 1 ? everything(items.getFirst(), list.items()) : FieldSets.LEAF));
        }
        return set;
    }
}
