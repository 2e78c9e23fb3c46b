package io.keelson.cacher.store;

import org.jspecify.annotations.Nullable;

/**
 * A node of the B+-tree under {@link PersistentSortedMap}. Never changed once another thread can see it: all fields are
 * final, and an array is written only between its creation and the constructor call that takes it.
 *
 * <p>Bounds. A node has {@code MIN_WIDTH ≤ width ≤ MAX_WIDTH} slots, entries in a leaf and children in an inner node. Only
 * the root may be narrower: {@code 0 ≤ width} as a leaf, {@code 2 ≤ width} as an inner node. {@link #put} and {@link #remove}
 * return a node that may break its bound by one slot; the caller, which is the parent or the map, repairs that before
 * it keeps the node, by {@link #lowerHalf}, {@link #upperHalf} and {@link #concat}.
 *
 * <p>Arrays are exactly as long as they are filled. That costs no more, as each change copies them anyway, and leaves no
 * slot that could hold on to a removed object.
 */
abstract sealed class Node<V> permits Leaf, Inner {
    /**
     * The most slots of a node. An event copies one node per level, so wider nodes make an event dearer and narrower ones
     * make the tree deeper; at 64, a map of 100,000 keys has three or four levels and an event copies 0.8 to 1.5 KB.
     */
    static final int MAX_WIDTH = 64;

    /** The fewest slots of a node that is not the root; half the maximum, so that two halves of a split node are valid. */
    static final int MIN_WIDTH = MAX_WIDTH / 2;

    /** The slots of this node. */
    abstract int width();

    /** The entries in this subtree. */
    abstract int size();

    /** The least key in this subtree, the very instance that its leaf holds. The subtree must not be empty. */
    abstract String firstKey();

    abstract @Nullable V get(String key);

    /** The number of keys in this subtree that are {@code < key}. */
    abstract int rank(String key);

    /** This subtree with the entry; this node itself if it holds that very value already. */
    abstract Node<V> put(String key, V value);

    /** This subtree without the key; this node itself if the key is absent. */
    abstract Node<V> remove(String key);

    /** The slots {@code from ≤ slot < to} as a node. */
    abstract Node<V> slice(int from, int to);

    /** The slots of this node followed by those of its right neighbour on the same level. */
    abstract Node<V> concat(Node<V> right);

    /**
     * Verifies order, bounds and counts of this subtree.
     *
     * @return the number of levels below this node
     * @throws IllegalStateException if an invariant is broken
     */
    abstract int check(boolean root);

    final Node<V> lowerHalf() {
        return slice(0, width() / 2);
    }

    final Node<V> upperHalf() {
        return slice(width() / 2, width());
    }

    final void checkWidth(int rootMinimum, boolean root) {
        checkThat(width() <= MAX_WIDTH, "a node is too wide");
        checkThat(width() >= (root ? rootMinimum : MIN_WIDTH), "a node is too narrow");
    }

    static void checkAscending(String[] keys) {
        for (int i = 1; i < keys.length; i++) {
            checkThat(keys[i - 1].compareTo(keys[i]) < 0, "keys do not ascend");
        }
    }

    static void checkThat(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** The index of the key if present, else {@code -(index of the first greater key) - 1}. */
    static int search(String[] keys, String key) {
        int low = 0;
        int high = keys.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = keys[middle].compareTo(key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
