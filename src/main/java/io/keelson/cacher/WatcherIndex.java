package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.storage.SelectionPredicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of a resource by what they watch: the whole resource, a namespace or one object, and there by the value
 * that a field must have for them. So an event wakes those that may see it and no other: of ten thousand that each watch
 * the pods of one node, the one whose node it is. Thread-safe; the arrays that it keeps never change.
 */
final class WatcherIndex {
    private static final CacheWatcher[] NONE = {};

    /**
     * A field by which watchers of a scope select.
     *
     * @param reader knows how to read the field
     */
    private record IndexedField(String name, SelectionPredicate reader, int watchers) {}

    private final ConcurrentHashMap<String, CacheWatcher[]> byPlace = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, List<IndexedField>> fields = new ConcurrentHashMap<>();

    /** @param scope the key of a collection, with its slash, or of one object */
    void add(String scope, CacheWatcher watcher) {
        FieldSelector.Requirement required = required(watcher);
        if (required != null) {
            // First, as who finds the watcher must know to look by its field.
            count(scope, required.field(), watcher.predicate(), 1);
        }
        byPlace.merge(place(scope, required), new CacheWatcher[] {watcher}, (old, added) -> {
            CacheWatcher[] more = Arrays.copyOf(old, old.length + 1);
            more[old.length] = watcher;
            return more;
        });
    }

    void remove(String scope, CacheWatcher watcher) {
        FieldSelector.Requirement required = required(watcher);
        boolean[] found = new boolean[1];
        byPlace.computeIfPresent(place(scope, required), (key, old) -> {
            int at = Arrays.asList(old).indexOf(watcher);
            if (at < 0) {
                return old;
            }
            found[0] = true;
            if (old.length == 1) {
                return null;
            }
            CacheWatcher[] fewer = Arrays.copyOf(old, old.length - 1);
            System.arraycopy(old, at + 1, fewer, at, old.length - at - 1);
            return fewer;
        });
        if (required != null && found[0]) {
            count(scope, required.field(), watcher.predicate(), -1);
        }
    }

    /** The condition that a watcher is found by, null where it sets none that few objects meet. */
    private static FieldSelector.@Nullable Requirement required(CacheWatcher watcher) {
        for (FieldSelector.Requirement requirement :
                watcher.predicate().fields().requirements()) {
            if (requirement.equal()) {
                return requirement;
            }
        }
        return null;
    }

    /** No scope contains the separator, so places of different kinds never meet. */
    private static String place(String scope, FieldSelector.@Nullable Requirement required) {
        return required == null ? scope : place(scope, required.field(), required.value());
    }

    private static String place(String scope, String field, String value) {
        return scope + '\0' + field + '\0' + value;
    }

    private void count(String scope, String field, SelectionPredicate reader, int change) {
        fields.compute(scope, (key, old) -> {
            var now = new ArrayList<IndexedField>();
            int watchers = change;
            for (IndexedField known : old == null ? List.<IndexedField>of() : old) {
                if (known.name().equals(field)) {
                    watchers += known.watchers();
                } else {
                    now.add(known);
                }
            }
            if (watchers > 0) {
                now.add(new IndexedField(field, reader, watchers));
            }
            return now.isEmpty() ? null : now;
        });
    }

    /** Offers an event to the watchers of a scope that may see it; returns to how many. */
    int offer(String scope, WatchCacheEvent event) {
        int offers = offerAt(scope, event);
        List<IndexedField> indexed = fields.get(scope);
        if (indexed != null) {
            for (IndexedField field : indexed) {
                offers += offerByField(scope, field, event);
            }
        }
        return offers;
    }

    /** To those whom the object's new state concerns, and to those who see it leave. */
    private int offerByField(String scope, IndexedField field, WatchCacheEvent event) {
        String now = value(field, event.object());
        String before = value(field, event.previous());
        int offers = now == null ? 0 : offerAt(place(scope, field.name(), now), event);
        if (before != null && !before.equals(now)) {
            offers += offerAt(place(scope, field.name(), before), event);
        }
        return offers;
    }

    private static @Nullable String value(IndexedField field, @Nullable ApiObject object) {
        return object == null ? null : field.reader().value(object, field.name());
    }

    private int offerAt(String place, WatchCacheEvent event) {
        CacheWatcher[] interested = byPlace.getOrDefault(place, NONE);
        for (CacheWatcher watcher : interested) {
            watcher.offer(event);
        }
        return interested.length;
    }

    void forEach(Consumer<CacheWatcher> action) {
        for (CacheWatcher[] watchers : byPlace.values()) {
            for (CacheWatcher watcher : watchers) {
                action.accept(watcher);
            }
        }
    }

    int size() {
        int size = 0;
        for (CacheWatcher[] watchers : byPlace.values()) {
            size += watchers.length;
        }
        return size;
    }
}
