package io.keelson.cacher.store;

import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from storage key to value in the natural order of the keys. A change returns a new version that shares
 * all but one path of nodes with the old one, so a version kept as a snapshot costs a reference and the nodes that later
 * changes replaced: in a map of 100,000 keys about 0.8 KB for a new value and 1.5 KB for a new or removed key.
 *
 * <p><b>Threads.</b> A version never changes and may be read by any number of threads without a lock, even if it was
 * handed over by a data race. There is no merging of versions: writers that derive from the same version must be ordered
 * by their owner, as the watch cache does with its single writer.
 *
 * <p><b>Cost.</b> With n entries, {@link #get}, {@link #put}, {@link #remove} and both counts take O(log n),
 * {@link #size} O(1). Nodes hold 32 to 64 entries or children, arrays without slack; beside the two references of an entry
 * that is less than 4 bytes for each entry with compressed references. The number of entries is at most
 * {@link Integer#MAX_VALUE}; the owner has to bound it well before.
 *
 * <p><b>Retention.</b> A version references exactly the keys and values that it holds. If the value of a key is replaced,
 * the instance of the key that came first stays.
 *
 * <p><b>Ranges.</b> A range holds the keys with {@code fromInclusive ≤ key < toExclusive}; without upper bound if that is
 * null, and empty if {@code toExclusive ≤ fromInclusive}. Keys compare as {@link String#compareTo} does, which for ASCII
 * is the order of their bytes in the store.
 *
 * <p>Keys and values are never null; a null argument is refused with {@link NullPointerException} unless its parameter
 * says otherwise.
 *
 * @param <V> the type of the values
 */
public final class PersistentSortedMap<V> {
    private static final PersistentSortedMap<?> EMPTY = new PersistentSortedMap<>(Leaf.empty());

    private final Node<V> root;

    private PersistentSortedMap(Node<V> root) {
        this.root = root;
    }

    /** The map without entries, always the same instance. */
    @SuppressWarnings("unchecked") // without values, a map is one of any type
    public static <V> PersistentSortedMap<V> empty() {
        return (PersistentSortedMap<V>) EMPTY;
    }

    /**
     * Builds a map with full leaves in O(n).
     *
     * @param keys distinct keys in ascending order: {@code keys[i] < keys[i + 1]}
     * @param values as many values; {@code values[i]} belongs to {@code keys[i]}
     * @throws IllegalArgumentException if the keys do not strictly ascend, or the lists differ in length
     */
    public static <V> PersistentSortedMap<V> ofSorted(List<String> keys, List<V> values) {
        return of(TreeBuilder.build(keys, values));
    }

    private static <V> PersistentSortedMap<V> of(Node<V> root) {
        return root.size() == 0 ? empty() : new PersistentSortedMap<>(root);
    }

    /**
     * Reports what turns one map into the other, in ascending key order. Values are compared by identity. Subtrees that
     * both maps share are skipped, so for a version and one derived from it by c changes this takes O(c · log n); for maps
     * of sizes n and m that share nothing, O(n + m).
     */
    public static <V> void diff(PersistentSortedMap<V> before, PersistentSortedMap<V> after, DiffConsumer<V> consumer) {
        new TreeDiff<>(before.root, after.root, Objects.requireNonNull(consumer, "consumer is null")).run();
    }

    /**
     * The upper bound for the range of all keys with a prefix: {@code key.startsWith(prefix)} if and only if
     * {@code prefix ≤ key < prefixEnd(prefix)}.
     *
     * @return the exclusive bound, or null if no key without the prefix is greater than those with it, as with ""
     */
    public static @Nullable String prefixEnd(String prefix) {
        for (int length = prefix.length(); length > 0; length--) {
            char last = prefix.charAt(length - 1);
            if (last != Character.MAX_VALUE) {
                return prefix.substring(0, length - 1) + (char) (last + 1);
            }
        }
        return null;
    }

    /** The number of entries. */
    public int size() {
        return root.size();
    }

    /** The value of the key, or null if it is absent. */
    public @Nullable V get(String key) {
        return root.get(Objects.requireNonNull(key, "key is null"));
    }

    /** This map with the value for the key; this map itself if the key has that very instance as value already. */
    public PersistentSortedMap<V> put(String key, V value) {
        Objects.requireNonNull(key, "key is null");
        Objects.requireNonNull(value, "value is null");
        Node<V> updated = root.put(key, value);
        if (updated == root) {
            return this;
        }
        return of(updated.width() <= Node.MAX_WIDTH ? updated : Inner.ofHalves(updated));
    }

    /** This map without the key; this map itself if the key is absent. */
    public PersistentSortedMap<V> remove(String key) {
        Node<V> updated = root.remove(Objects.requireNonNull(key, "key is null"));
        if (updated == root) {
            return this;
        }
        return of(updated instanceof Inner<V> inner && inner.width() == 1 ? inner.child(0) : updated);
    }

    /** The number of keys with {@code fromInclusive ≤ key < toExclusive}. */
    public int count(String fromInclusive, @Nullable String toExclusive) {
        return Math.max(0, end(toExclusive) - start(fromInclusive));
    }

    /** The number of keys that start with the prefix and are {@code ≥ startInclusive}. */
    public int countFrom(String startInclusive, String prefix) {
        String from = startInclusive.compareTo(prefix) < 0 ? prefix : startInclusive;
        return count(from, prefixEnd(prefix));
    }

    /** A cursor before the first entry with {@code fromInclusive ≤ key < toExclusive}. Takes O(log n). */
    public Cursor<V> cursor(String fromInclusive, @Nullable String toExclusive) {
        return new Cursor<>(root, start(fromInclusive), end(toExclusive));
    }

    /**
     * Shows the visitor the entries with {@code fromInclusive ≤ key < toExclusive} in ascending key order until it returns
     * false. Takes O(log n) and O(1) for each entry shown.
     *
     * @return false if the visitor returned false, else true
     */
    public boolean forEachWhile(
            String fromInclusive, @Nullable String toExclusive, BiPredicate<? super String, ? super V> visitor) {
        Cursor<V> cursor = cursor(fromInclusive, toExclusive);
        while (cursor.next()) {
            if (!visitor.test(cursor.key(), cursor.value())) {
                return false;
            }
        }
        return true;
    }

    private int start(String fromInclusive) {
        return root.rank(Objects.requireNonNull(fromInclusive, "fromInclusive is null"));
    }

    private int end(@Nullable String toExclusive) {
        return toExclusive == null ? root.size() : root.rank(toExclusive);
    }

    Node<V> root() {
        return root;
    }

    /**
     * Verifies order, fan-out, counts and even depth of the whole tree, in O(n log n).
     *
     * @throws IllegalStateException if an invariant is broken
     */
    void checkInvariants() {
        root.check(true);
    }
}
