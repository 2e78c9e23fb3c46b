package io.keelson.cacher.store;

/**
 * Walks the entries of one version of a {@link PersistentSortedMap} in ascending key order. It starts before the first
 * entry of its range: {@link #next} must return true before {@link #key} and {@link #value} may be called.
 *
 * <p>A step takes amortised O(1) and allocates nothing. A cursor belongs to one thread; any number of cursors may walk
 * the same version. As long as it is reachable, a cursor keeps its version and so the objects in it alive.
 *
 * @param <V> the type of the values
 */
public final class Cursor<V> {
    private final Node<V> root;
    // The entry that next() goes to, counted from the least key of the version: start ≤ nextOrdinal ≤ endOrdinal.
    private int nextOrdinal;
    private final int endOrdinal;
    private Leaf<V> leaf = Leaf.empty();
    // Before the first step and after the last, outside the leaf.
    private int slot = -1;

    Cursor(Node<V> root, int startOrdinal, int endOrdinal) {
        this.root = root;
        this.nextOrdinal = startOrdinal;
        this.endOrdinal = Math.max(startOrdinal, endOrdinal);
    }

    /** Goes to the next entry. Returns false, then and at each later call, when the range has no more. */
    public boolean next() {
        if (nextOrdinal == endOrdinal) {
            leaf = Leaf.empty();
            slot = -1;
            return false;
        }
        slot++;
        if (slot == leaf.width()) {
            descend();
        }
        nextOrdinal++;
        return true;
    }

    /** The entries that {@link #next} has yet to reach, {@code ≥ 0}. */
    public int remaining() {
        return endOrdinal - nextOrdinal;
    }

    /**
     * The key of the entry that this cursor is at.
     *
     * @throws IllegalStateException if the last call of {@link #next} did not return true, or there was none
     */
    public String key() {
        return leaf.keys[requireSlot()];
    }

    /**
     * The value of the entry that this cursor is at.
     *
     * @throws IllegalStateException if the last call of {@link #next} did not return true, or there was none
     */
    public V value() {
        return leaf.value(requireSlot());
    }

    private int requireSlot() {
        if (slot < 0) {
            throw new IllegalStateException("the cursor is not at an entry");
        }
        return slot;
    }

    /** Finds the next leaf from the root by number, once per leaf; that is cheaper to get right than a stack of nodes. */
    private void descend() {
        Node<V> node = root;
        int ordinal = nextOrdinal;
        while (node instanceof Inner<V> inner) {
            int child = inner.slotAt(ordinal);
            ordinal -= inner.start(child);
            node = inner.child(child);
        }
        leaf = (Leaf<V>) node;
        slot = ordinal;
    }
}
