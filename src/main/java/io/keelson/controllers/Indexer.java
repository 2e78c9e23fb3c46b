package io.keelson.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an {@link Informer} tells of, by name and by what indexes say of them, and a handler that hears how one
 * state differs from the next. Holds references to the cache's objects. Reads are thread-safe and see a change before the
 * handler hears of it; the handler is called without a lock.
 */
final class Indexer implements Informer.Sink {
    /** Hears of changes, from one thread at a time. What throws here is told again, as changed or not. */
    interface Handler {
        default void added(ApiObject object) {}

        /** @param old may be the same state, where everything is told anew */
        default void updated(ApiObject old, ApiObject object) {}

        default void deleted(ApiObject last) {}

        /** Nothing more is to be told for now. */
        default void settled() {}
    }

    private record Key(String namespace, String name) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::namespace).thenComparing(Key::name);

        static Key of(ApiObject object) {
            return new Key(object.meta().namespace(), object.meta().name());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** One index: what it calls an object, and the objects by what they are called. */
    private record Index(Function<ApiObject, ? extends Collection<String>> indexer, Map<String, SortedSet<Key>> keys) {
        void add(Key key, ApiObject object) {
            for (String value : indexer.apply(object)) {
                keys.computeIfAbsent(value, any -> new TreeSet<>()).add(key);
            }
        }

        void remove(Key key, ApiObject object) {
            for (String value : indexer.apply(object)) {
                keys.computeIfPresent(value, (any, known) -> {
                    known.remove(key);
                    return known.isEmpty() ? null : known;
                });
            }
        }
    }

    private final Handler handler;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final SortedMap<Key, ApiObject> objects = new TreeMap<>();

    @GuardedBy("lock")
    private final Map<String, Index> indexes = new HashMap<>();

    /** What came since everything began to be told anew; null while it is not. Used by the informer alone. */
    private @Nullable Set<Key> seen;

    /** @param indexers by the index's name, what each calls an object; pure functions of its state */
    Indexer(Map<String, Function<ApiObject, ? extends Collection<String>>> indexers, Handler handler) {
        this.handler = handler;
        indexers.forEach((name, indexer) -> indexes.put(name, new Index(indexer, new HashMap<>())));
    }

    @Override
    public void begin() {
        seen = new HashSet<>();
    }

    @Override
    public boolean put(ApiObject object) {
        Key key = Key.of(object);
        if (seen != null) {
            seen.add(key);
        }
        ApiObject old = remember(object);
        if (old == null) {
            handler.added(object);
        } else {
            handler.updated(old, object);
        }
        return true;
    }

    private @Nullable ApiObject remember(ApiObject object) {
        Key key = Key.of(object);
        lock.lock();
        try {
            ApiObject old = objects.put(key, object);
            for (Index index : indexes.values()) {
                if (old != null) {
                    index.remove(key, old);
                }
                index.add(key, object);
            }
            return old;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void remove(ApiObject last) {
        ApiObject known = forget(Key.of(last));
        if (known != null) {
            tellDeleted(known, last);
        }
    }

    private void tellDeleted(ApiObject known, ApiObject last) {
        try {
            handler.deleted(last);
        } catch (RuntimeException e) {
            // So that it is missed, and told of, when everything comes anew.
            remember(known);
            throw e;
        }
    }

    private @Nullable ApiObject forget(Key key) {
        lock.lock();
        try {
            ApiObject old = objects.remove(key);
            if (old != null) {
                indexes.values().forEach(index -> index.remove(key, old));
            }
            return old;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void complete() {
        Set<Key> present = Objects.requireNonNull(seen);
        for (Key key : keys()) {
            ApiObject gone = present.contains(key) ? null : forget(key);
            if (gone != null) {
                tellDeleted(gone, gone);
            }
        }
        seen = null;
    }

    private List<Key> keys() {
        lock.lock();
        try {
            return List.copyOf(objects.keySet());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void settled() {
        handler.settled();
    }

    /** All objects, by namespace and name. */
    List<ApiObject> all() {
        lock.lock();
        try {
            return List.copyOf(objects.values());
        } finally {
            lock.unlock();
        }
    }

    /** The objects that an index calls by a value, by namespace and name. */
    List<ApiObject> byIndex(String index, String value) {
        lock.lock();
        try {
            var found = new ArrayList<ApiObject>();
            for (Key key :
                    Objects.requireNonNull(indexes.get(index), index).keys().getOrDefault(value, new TreeSet<>())) {
                found.add(Objects.requireNonNull(objects.get(key)));
            }
            return found;
        } finally {
            lock.unlock();
        }
    }
}
