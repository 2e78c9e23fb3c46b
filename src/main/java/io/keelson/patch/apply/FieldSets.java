package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sets of fields in the form in which they are stored, FieldsV1: a tree whose keys are {@link PathElements}. An element
 * without anything below it is a member; one with elements below it is a member only where it has the key {@code .} too.
 * The empty set is null, so that nobody builds trees of nothing.
 *
 * <p>Sets are never changed once they are made, and share what they have in common. Stateless and thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // what has not changed is handed on as it is
final class FieldSets {
    /** The key that makes an element with others below it a member. */
    static final String SELF = ".";

    /** A member with nothing below it: one for all, since sets are never changed. */
    static final ObjectNode LEAF = Json.object();

    private FieldSets() {}

    static boolean isMember(ObjectNode element) {
        return element.isEmpty() || element.has(SELF);
    }

    /** The elements that are in either set. */
    static @Nullable ObjectNode union(@Nullable ObjectNode one, @Nullable ObjectNode other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return unionOf(one, other);
    }

    private static ObjectNode unionOf(ObjectNode one, ObjectNode other) {
        if (one == other || (other.isEmpty() && isMember(one))) {
            return one;
        }
        if (one.isEmpty() && isMember(other)) {
            return other;
        }
        ObjectNode union = Json.object();
        if (isMember(one) || isMember(other)) {
            union.set(SELF, LEAF);
        }
        one.properties().forEach(child -> {
            if (!child.getKey().equals(SELF)) {
                ObjectNode mine = (ObjectNode) child.getValue();
                union.set(
                        child.getKey(),
                        other.get(child.getKey()) instanceof ObjectNode its ? unionOf(mine, its) : mine);
            }
        });
        other.properties().forEach(child -> union.putIfAbsent(child.getKey(), child.getValue()));
        return union;
    }

    /** The elements of one set that are not in the other. */
    static @Nullable ObjectNode minus(@Nullable ObjectNode set, @Nullable ObjectNode removed) {
        if (set == null || removed == null) {
            return set;
        }
        ObjectNode rest = Json.object();
        boolean same = true;
        for (var child : set.properties()) {
            ObjectNode mine = (ObjectNode) child.getValue();
            if (child.getKey().equals(SELF)) {
                continue;
            }
            ObjectNode left = removed.get(child.getKey()) instanceof ObjectNode its ? minusBelow(mine, its) : mine;
            same &= left == mine;
            if (left != null) {
                rest.set(child.getKey(), left);
            }
        }
        return same ? set : rest.isEmpty() ? null : rest;
    }

    private static @Nullable ObjectNode minusBelow(ObjectNode element, ObjectNode removed) {
        boolean member = isMember(element) && !isMember(removed);
        if (element.isEmpty()) {
            return member ? element : null;
        }
        ObjectNode below = minus(element, removed);
        if (below == element && member == element.has(SELF)) {
            return element;
        }
        return joined(member, below);
    }

    /** The elements that are in both sets. */
    static @Nullable ObjectNode intersection(@Nullable ObjectNode one, @Nullable ObjectNode other) {
        if (one == null || other == null) {
            return null;
        }
        ObjectNode common = Json.object();
        for (var child : one.properties()) {
            if (!child.getKey().equals(SELF)
                    && child.getValue() instanceof ObjectNode mine
                    && other.get(child.getKey()) instanceof ObjectNode its) {
                ObjectNode both = joined(isMember(mine) && isMember(its), intersection(mine, its));
                if (both != null) {
                    common.set(child.getKey(), both);
                }
            }
        }
        return common.isEmpty() ? null : common;
    }

    /** An element with what is below it, which may carry a {@link #SELF} that no longer holds. */
    private static @Nullable ObjectNode joined(boolean member, @Nullable ObjectNode below) {
        if (below == null || below.isEmpty() || (below.size() == 1 && below.has(SELF))) {
            return member ? LEAF : null;
        }
        if (member == below.has(SELF)) {
            return below;
        }
        ObjectNode element = Json.object();
        if (member) {
            element.set(SELF, LEAF);
        }
        below.properties().forEach(child -> {
            if (!child.getKey().equals(SELF)) {
                element.set(child.getKey(), child.getValue());
            }
        });
        return element;
    }

    /** Adds an element below another, which is made when it is first needed. Nothing is added for null. */
    static @Nullable ObjectNode with(@Nullable ObjectNode parent, String element, @Nullable ObjectNode child) {
        if (child == null) {
            return parent;
        }
        ObjectNode to = parent == null ? Json.object() : parent;
        to.set(element, child);
        return to;
    }

    /** The same element, as a member. */
    static ObjectNode asMember(@Nullable ObjectNode element) {
        return element == null ? LEAF : Objects.requireNonNull(joined(true, element));
    }

    /** Calls with each member's path as Kubernetes writes it, such as {@code .spec.containers[name="c"].image}, in order. */
    static void forEachPath(@Nullable ObjectNode set, Consumer<String> visitor) {
        if (set != null) {
            visit(set, new ArrayDeque<>(), visitor);
        }
    }

    private static void visit(ObjectNode set, Deque<String> path, Consumer<String> visitor) {
        var names = new TreeSet<String>();
        set.fieldNames().forEachRemaining(names::add);
        names.remove(SELF);
        for (String name : names) {
            path.addLast(PathElements.display(name));
            ObjectNode child = (ObjectNode) set.get(name);
            if (isMember(child)) {
                visitor.accept(String.join("", path));
            }
            visit(child, path, visitor);
            path.removeLast();
        }
    }

    /** Whether a tree that somebody sent has the form of a set. */
    static boolean isValid(ObjectNode tree) {
        for (var child : tree.properties()) {
            boolean self = child.getKey().equals(SELF);
            if (!self && !PathElements.isValid(child.getKey())) {
                return false;
            }
            if (!(child.getValue() instanceof ObjectNode below) || (self ? !below.isEmpty() : !isValid(below))) {
                return false;
            }
        }
        return true;
    }
}
