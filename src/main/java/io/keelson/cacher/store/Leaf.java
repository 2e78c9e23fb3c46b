package io.keelson.cacher.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The entries of a key range: {@code values[i]} belongs to {@code keys[i]}, keys ascend, both arrays are full. */
final class Leaf<V> extends Node<V> {
    private static final Leaf<?> EMPTY = new Leaf<>(new String[0], new Object[0]);

    final String[] keys;
    private final Object[] values;

    Leaf(String[] keys, Object[] values) {
        this.keys = keys;
        this.values = values;
    }

    @SuppressWarnings("unchecked") // without values, a leaf is one of any type
    static <V> Leaf<V> empty() {
        return (Leaf<V>) EMPTY;
    }

    @SuppressWarnings("unchecked") // only values of type V are put into the array
    V value(int slot) {
        return (V) values[slot];
    }

    @Override
    int width() {
        return keys.length;
    }

    @Override
    int size() {
        return keys.length;
    }

    @Override
    String firstKey() {
        return keys[0];
    }

    @Override
    @Nullable
    V get(String key) {
        int slot = search(keys, key);
        return slot < 0 ? null : value(slot);
    }

    @Override
    int rank(String key) {
        int slot = search(keys, key);
        return slot < 0 ? -slot - 1 : slot;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // values may be costly to compare, and an equal one may be newer
    Node<V> put(String key, V value) {
        int slot = search(keys, key);
        if (slot < 0) {
            return insert(-slot - 1, key, value);
        }
        if (values[slot] == value) {
            return this;
        }
        Object[] replaced = values.clone();
        replaced[slot] = value;
        return new Leaf<>(keys, replaced);
    }

    private Leaf<V> insert(int slot, String key, V value) {
        String[] newKeys = new String[keys.length + 1];
        Object[] newValues = new Object[keys.length + 1];
        System.arraycopy(keys, 0, newKeys, 0, slot);
        System.arraycopy(values, 0, newValues, 0, slot);
        newKeys[slot] = key;
        newValues[slot] = value;
        System.arraycopy(keys, slot, newKeys, slot + 1, keys.length - slot);
        System.arraycopy(values, slot, newValues, slot + 1, keys.length - slot);
        return new Leaf<>(newKeys, newValues);
    }

    @Override
    Node<V> remove(String key) {
        int slot = search(keys, key);
        if (slot < 0) {
            return this;
        }
        int left = keys.length - 1;
        String[] newKeys = new String[left];
        Object[] newValues = new Object[left];
        System.arraycopy(keys, 0, newKeys, 0, slot);
        System.arraycopy(values, 0, newValues, 0, slot);
        System.arraycopy(keys, slot + 1, newKeys, slot, left - slot);
        System.arraycopy(values, slot + 1, newValues, slot, left - slot);
        return new Leaf<>(newKeys, newValues);
    }

    @Override
    Leaf<V> slice(int from, int to) {
        return new Leaf<>(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
    }

    @Override
    Leaf<V> concat(Node<V> right) {
        Leaf<V> other = (Leaf<V>) right;
        String[] newKeys = Arrays.copyOf(keys, keys.length + other.keys.length);
        Object[] newValues = Arrays.copyOf(values, newKeys.length);
        System.arraycopy(other.keys, 0, newKeys, keys.length, other.keys.length);
        System.arraycopy(other.values, 0, newValues, keys.length, other.keys.length);
        return new Leaf<>(newKeys, newValues);
    }

    @Override
    int check(boolean root) {
        checkWidth(0, root);
        checkAscending(keys);
        checkThat(keys.length == values.length, "a leaf has not one value per key");
        for (Object value : values) {
            checkThat(value != null, "a value is null");
        }
        return 0;
    }
}
