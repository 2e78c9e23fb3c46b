package io.keelson.cacher;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watchers of a resource by what they watch: the whole resource, a namespace or one object. So an event wakes those
 * that may see it and no other. Thread-safe; the arrays that it hands out never change.
 */
final class WatcherIndex {
    static final CacheWatcher[] NONE = {};

    private final ConcurrentHashMap<String, CacheWatcher[]> byScope = new ConcurrentHashMap<>();

    /** @param scope the key of a collection, with its slash, or of one object */
    void add(String scope, CacheWatcher watcher) {
        byScope.merge(scope, new CacheWatcher[] {watcher}, (old, added) -> {
            CacheWatcher[] more = Arrays.copyOf(old, old.length + 1);
            more[old.length] = watcher;
            return more;
        });
    }

    void remove(String scope, CacheWatcher watcher) {
        byScope.computeIfPresent(scope, (key, old) -> {
            int at = Arrays.asList(old).indexOf(watcher);
            if (at < 0) {
                return old;
            }
            if (old.length == 1) {
                return null;
            }
            CacheWatcher[] fewer = Arrays.copyOf(old, old.length - 1);
            System.arraycopy(old, at + 1, fewer, at, old.length - at - 1);
            return fewer;
        });
    }

    CacheWatcher[] of(String scope) {
        return byScope.getOrDefault(scope, NONE);
    }

    Iterable<CacheWatcher[]> all() {
        return byScope.values();
    }

    int size() {
        int size = 0;
        for (CacheWatcher[] watchers : byScope.values()) {
            size += watchers.length;
        }
        return size;
    }
}
