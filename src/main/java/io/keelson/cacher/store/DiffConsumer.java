package io.keelson.cacher.store;

/**
 * Receives the differences between two versions of a {@link PersistentSortedMap}, each key at most once and in ascending
 * key order. An exception that a method throws ends the comparison and reaches its caller.
 *
 * @param <V> the type of the values
 */
public interface DiffConsumer<V> {
    /** The key is absent before and has this value after. */
    void added(String key, V after);

    /** The key has both values, and they are not the same instance. */
    void changed(String key, V before, V after);

    /** The key has this value before and is absent after. */
    void removed(String key, V before);
}
