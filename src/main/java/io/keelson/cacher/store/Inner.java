package io.keelson.cacher.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Children of one height in key order. With each child {@code i} go its least key {@code firsts[i]} and the number of
 * entries up to its end {@code ends[i]}, so that a search and a count touch one child only. {@code firsts} holds the
 * instances that the leaves hold, never a mere separator, so that a removed key is not kept alive.
 */
final class Inner<V> extends Node<V> {
    private final Node<V>[] children;
    private final String[] firsts;
    private final int[] ends;

    private Inner(Node<V>[] children, String[] firsts, int[] ends) {
        this.children = children;
        this.firsts = firsts;
        this.ends = ends;
    }

    /** Takes the array over; the caller must not write to it again. No child may be empty. */
    Inner(Node<V>[] children) {
        this(children, new String[children.length], new int[children.length]);
        int end = 0;
        for (int i = 0; i < children.length; i++) {
            end += children[i].size();
            firsts[i] = children[i].firstKey();
            ends[i] = end;
        }
    }

    @SuppressWarnings("unchecked") // the array is only seen as one of Node<V>
    static <V> Node<V>[] newChildren(int length) {
        return (Node<V>[]) new Node<?>[length];
    }

    static <V> Inner<V> ofHalves(Node<V> tooWide) {
        Node<V>[] halves = newChildren(2);
        halves[0] = tooWide.lowerHalf();
        halves[1] = tooWide.upperHalf();
        return new Inner<>(halves);
    }

    Node<V> child(int slot) {
        return children[slot];
    }

    String childFirst(int slot) {
        return firsts[slot];
    }

    /** The entries of this subtree before the child. */
    int start(int slot) {
        return slot == 0 ? 0 : ends[slot - 1];
    }

    /** The child that holds the entry number {@code ordinal}, where {@code 0 ≤ ordinal < size()}. */
    int slotAt(int ordinal) {
        int slot = Arrays.binarySearch(ends, ordinal);
        return slot < 0 ? -slot - 1 : slot + 1;
    }

    /** The child whose range the key is in: the last with {@code firsts[slot] ≤ key}, or the first of all. */
    private int slotOf(String key) {
        int slot = search(firsts, key);
        return slot < 0 ? Math.max(0, -slot - 2) : slot;
    }

    @Override
    int width() {
        return children.length;
    }

    @Override
    int size() {
        return ends[ends.length - 1];
    }

    @Override
    String firstKey() {
        return firsts[0];
    }

    @Override
    @Nullable
    V get(String key) {
        return children[slotOf(key)].get(key);
    }

    @Override
    int rank(String key) {
        int slot = slotOf(key);
        return start(slot) + children[slot].rank(key);
    }

    @Override
    Node<V> put(String key, V value) {
        int slot = slotOf(key);
        Node<V> child = children[slot];
        Node<V> updated = child.put(key, value);
        if (updated == child) {
            return this;
        }
        return updated.width() <= MAX_WIDTH
                ? withChild(slot, updated)
                : withPair(slot, 1, updated.lowerHalf(), updated.upperHalf());
    }

    @Override
    Node<V> remove(String key) {
        int slot = slotOf(key);
        Node<V> child = children[slot];
        Node<V> updated = child.remove(key);
        if (updated == child) {
            return this;
        }
        return updated.width() >= MIN_WIDTH ? withChild(slot, updated) : withWidened(slot, updated);
    }

    private Inner<V> withChild(int slot, Node<V> child) {
        Node<V>[] newChildren = children.clone();
        newChildren[slot] = child;
        return new Inner<>(newChildren, firstsWith(slot, child.firstKey()), endsWith(slot, child.size()));
    }

    @SuppressWarnings("ReferenceEquality") // an equal key of another instance is to replace the one held so far
    private String[] firstsWith(int slot, String first) {
        if (firsts[slot] == first) {
            return firsts;
        }
        String[] changed = firsts.clone();
        changed[slot] = first;
        return changed;
    }

    private int[] endsWith(int slot, int size) {
        int grown = size - (ends[slot] - start(slot));
        if (grown == 0) {
            return ends;
        }
        int[] changed = ends.clone();
        for (int i = slot; i < changed.length; i++) {
            changed[i] += grown;
        }
        return changed;
    }

    /** Merges a child that is too narrow with a neighbour, or shares their slots evenly if one node cannot take them. */
    private Inner<V> withWidened(int slot, Node<V> tooNarrow) {
        int left = Math.max(0, slot - 1);
        Node<V> both = left == slot ? tooNarrow.concat(children[slot + 1]) : children[left].concat(tooNarrow);
        return both.width() <= MAX_WIDTH
                ? withPair(left, 2, both, null)
                : withPair(left, 2, both.lowerHalf(), both.upperHalf());
    }

    /** Puts one or two nodes in the place of {@code replaced} children from {@code slot} on. */
    private Inner<V> withPair(int slot, int replaced, Node<V> first, @Nullable Node<V> second) {
        int added = second == null ? 1 : 2;
        Node<V>[] newChildren = newChildren(children.length - replaced + added);
        System.arraycopy(children, 0, newChildren, 0, slot);
        newChildren[slot] = first;
        if (second != null) {
            newChildren[slot + 1] = second;
        }
        int rest = slot + replaced;
        System.arraycopy(children, rest, newChildren, slot + added, children.length - rest);
        return new Inner<>(newChildren);
    }

    @Override
    Inner<V> slice(int from, int to) {
        return new Inner<>(Arrays.copyOfRange(children, from, to));
    }

    @Override
    Inner<V> concat(Node<V> right) {
        Node<V>[] others = ((Inner<V>) right).children;
        Node<V>[] newChildren = Arrays.copyOf(children, children.length + others.length);
        System.arraycopy(others, 0, newChildren, children.length, others.length);
        return new Inner<>(newChildren);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the key must be the instance in the leaf
    int check(boolean root) {
        checkWidth(2, root);
        checkAscending(firsts);
        int height = -1;
        for (int i = 0; i < children.length; i++) {
            Node<V> child = children[i];
            checkThat(firsts[i] == child.firstKey(), "a first key is not its child's");
            checkThat(ends[i] - start(i) == child.size(), "a count is wrong");
            checkThat(i + 1 == children.length || child.rank(firsts[i + 1]) == child.size(), "children overlap");
            int childHeight = child.check(false);
            checkThat(i == 0 || childHeight == height, "leaves lie at different depths");
            height = childHeight;
        }
        return height + 1;
    }
}
