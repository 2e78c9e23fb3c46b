package io.keelson.cacher.store;

/**
 * Compares two trees by walking both in key order, each from its root as one item. While the next items start with
 * different keys, the earlier one is opened, or reported if it is an entry. At the same key the higher one is opened; of
 * the same height, they are skipped if they are the same instance, whatever they hold, and both opened if not. So an
 * inner node that both trees share is met as an item on both sides at once, even where it hangs at different depths.
 */
final class TreeDiff<V> {
    private final Walk<V> before;
    private final Walk<V> after;
    private final DiffConsumer<V> consumer;

    TreeDiff(Node<V> before, Node<V> after, DiffConsumer<V> consumer) {
        this.before = new Walk<>(before);
        this.after = new Walk<>(after);
        this.consumer = consumer;
    }

    /** Reports all differences. Returns how many steps that took, the measure of how much was skipped. */
    int run() {
        int steps = 0;
        while (!before.done() && !after.done()) {
            steps++;
            int order = before.firstKey().compareTo(after.firstKey());
            if (order == 0) {
                compareAtSameKey();
            } else if (order < 0) {
                stepRemoved();
            } else {
                stepAdded();
            }
        }
        while (!before.done()) {
            steps++;
            stepRemoved();
        }
        while (!after.done()) {
            steps++;
            stepAdded();
        }
        return steps;
    }

    @SuppressWarnings("ReferenceEquality") // identity is what tells a shared subtree
    private void compareAtSameKey() {
        int higher = Integer.compare(before.height(), after.height());
        if (higher > 0) {
            before.open();
        } else if (higher < 0) {
            after.open();
        } else if (before.item() == after.item()) {
            before.advance();
            after.advance();
        } else if (before.atEntry()) {
            consumer.changed(after.firstKey(), before.value(), after.value());
            before.advance();
            after.advance();
        } else {
            before.open();
            after.open();
        }
    }

    private void stepRemoved() {
        if (before.atEntry()) {
            consumer.removed(before.firstKey(), before.value());
            before.advance();
        } else {
            before.open();
        }
    }

    private void stepAdded() {
        if (after.atEntry()) {
            consumer.added(after.firstKey(), after.value());
            after.advance();
        } else {
            after.open();
        }
    }

    /** A position in a tree: at a subtree, at an entry, or behind all of them. */
    private static final class Walk<V> {
        // The opened nodes from the root down, and in each the slot that the walk is at.
        private final Node<V>[] opened;
        private final int[] slots;
        private int depth;
        // The tree as a whole, while it is not opened yet.
        private final Node<V> root;
        private boolean done;

        Walk(Node<V> root) {
            int levels = 1;
            for (Node<V> node = root; node instanceof Inner<V> inner; node = inner.child(0)) {
                levels++;
            }
            this.opened = Inner.newChildren(levels);
            this.slots = new int[levels];
            this.root = root;
            this.done = root.size() == 0;
        }

        boolean done() {
            return done;
        }

        /** The levels of nodes from the item down: 0 for an entry, 1 for a leaf. */
        int height() {
            return opened.length - depth;
        }

        boolean atEntry() {
            return height() == 0;
        }

        String firstKey() {
            if (depth == 0) {
                return root.firstKey();
            }
            int slot = slots[depth - 1];
            return switch (opened[depth - 1]) {
                case Leaf<V> leaf -> leaf.keys[slot];
                case Inner<V> inner -> inner.childFirst(slot);
            };
        }

        /** What to compare by identity: the node, or the value of the entry. */
        Object item() {
            return atEntry() ? value() : node();
        }

        V value() {
            return ((Leaf<V>) opened[depth - 1]).value(slots[depth - 1]);
        }

        private Node<V> node() {
            return depth == 0 ? root : ((Inner<V>) opened[depth - 1]).child(slots[depth - 1]);
        }

        void open() {
            opened[depth] = node();
            slots[depth] = 0;
            depth++;
        }

        /** Goes behind the item, and behind each opened node that ends with it. */
        void advance() {
            while (depth > 0) {
                slots[depth - 1]++;
                if (slots[depth - 1] < opened[depth - 1].width()) {
                    return;
                }
                depth--;
            }
            done = true;
        }
    }
}
