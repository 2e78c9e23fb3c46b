package io.keelson.cacher.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** Builds a tree from sorted entries level by level, without a single split. */
final class TreeBuilder {
    private TreeBuilder() {}

    static <V> Node<V> build(List<String> keys, List<V> values) {
        List<Node<V>> level = leaves(keys, values);
        while (level.size() > 1) {
            level = parents(level);
        }
        return level.isEmpty() ? Leaf.empty() : level.getFirst();
    }

    private static <V> List<Node<V>> leaves(List<String> keys, List<V> values) {
        int size = keys.size();
        if (size != values.size()) {
            throw new IllegalArgumentException(size + " keys but " + values.size() + " values");
        }
        List<Node<V>> leaves = new ArrayList<>(size / Node.MIN_WIDTH + 1);
        Iterator<String> nextKey = keys.iterator();
        Iterator<V> nextValue = values.iterator();
        String last = null;
        for (int start = 0, end; start < size; start = end) {
            end = nodeEnd(start, size);
            String[] leafKeys = new String[end - start];
            Object[] leafValues = new Object[end - start];
            for (int i = 0; i < leafKeys.length; i++) {
                String key = nextKey.next();
                if (last != null && last.compareTo(key) >= 0) {
                    throw new IllegalArgumentException("key " + key + " does not follow " + last);
                }
                last = key;
                leafKeys[i] = Objects.requireNonNull(key, "key is null");
                leafValues[i] = Objects.requireNonNull(nextValue.next(), "value is null");
            }
            leaves.add(new Leaf<>(leafKeys, leafValues));
        }
        return leaves;
    }

    private static <V> List<Node<V>> parents(List<Node<V>> level) {
        List<Node<V>> parents = new ArrayList<>(level.size() / Node.MIN_WIDTH + 1);
        for (int start = 0, end; start < level.size(); start = end) {
            end = nodeEnd(start, level.size());
            Node<V>[] children = Inner.newChildren(end - start);
            for (int i = 0; i < children.length; i++) {
                children[i] = level.get(start + i);
            }
            parents.add(new Inner<>(children));
        }
        return parents;
    }

    /** Where the node ends that begins at {@code start}: full, but for the last two, which share what two full ones miss. */
    private static int nodeEnd(int start, int total) {
        int left = total - start;
        if (left <= Node.MAX_WIDTH) {
            return total;
        }
        return left < Node.MAX_WIDTH + Node.MIN_WIDTH ? start + left / 2 : start + Node.MAX_WIDTH;
    }
}
