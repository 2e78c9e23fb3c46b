package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.SelectionPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A change in the log that all watchers of a resource share. What a watcher sees of it depends on its selector: an object
 * that enters it is ADDED, one that leaves it is DELETED. Each of the three forms is made once and shared. Thread-safe.
 */
final class WatchCacheEvent {
    /** About what an event takes with the metadata of the object that it has taken the place of, in bytes. */
    static final int OVERHEAD_BYTES = 450;

    private final long sequence;
    private final String key;
    private final @Nullable ApiObject object;
    private final @Nullable ApiObject previous;
    private final long resourceVersion;
    private final long nanoTime;

    /** The state right after this event, for lists at its revision; dropped when newer ones have taken its place. */
    private volatile @Nullable PersistentSortedMap<ApiObject> snapshot;

    private volatile boolean passed;
    private volatile @Nullable WatchEvent added;
    private volatile @Nullable WatchEvent modified;
    private volatile @Nullable WatchEvent deleted;

    /**
     * @param sequence its place in the log, counted from 0 without gaps
     * @param object the state after it, null for a deletion
     * @param previous the state before it, null for a creation
     * @param nanoTime when it was logged, by the monotonic clock
     */
    WatchCacheEvent(
            long sequence,
            String key,
            @Nullable ApiObject object,
            @Nullable ApiObject previous,
            long resourceVersion,
            long nanoTime,
            PersistentSortedMap<ApiObject> snapshot) {
        this.sequence = sequence;
        this.key = key;
        this.object = object;
        this.previous = previous;
        this.resourceVersion = resourceVersion;
        this.nanoTime = nanoTime;
        this.snapshot = snapshot;
    }

    long sequence() {
        return sequence;
    }

    String key() {
        return key;
    }

    /** The state after it, null for a deletion. */
    @Nullable
    ApiObject object() {
        return object;
    }

    /** The state before it, null for a creation. */
    @Nullable
    ApiObject previous() {
        return previous;
    }

    /** About what is in memory for this event alone, in bytes: the present state is there without it. */
    long heldBytes() {
        return (long) OVERHEAD_BYTES + (previous == null ? 0 : previous.heldBytes());
    }

    long resourceVersion() {
        return resourceVersion;
    }

    long nanoTime() {
        return nanoTime;
    }

    @Nullable
    PersistentSortedMap<ApiObject> snapshot() {
        return snapshot;
    }

    void dropSnapshot() {
        snapshot = null;
    }

    /** What a watcher with a selector sees of this event; null for nothing. */
    @Nullable
    WatchEvent seenThrough(SelectionPredicate predicate) {
        boolean all = predicate.everything();
        boolean matches = object != null && (all || predicate.matches(object));
        boolean matched = previous != null && (all || predicate.matches(previous));
        if (matches) {
            return matched ? modified() : added();
        }
        return matched ? deleted() : null;
    }

    /** Gives the encoded frames back; a watcher that comes this late gets a form of its own, which nobody keeps. */
    void forgetForms() {
        passed = true;
        added = null;
        modified = null;
        deleted = null;
    }

    private WatchEvent added() {
        WatchEvent known = added;
        if (known == null) {
            known = WatchEvent.of(WatchEventType.ADDED, present(object));
            added = passed ? null : known;
        }
        return known;
    }

    private WatchEvent modified() {
        WatchEvent known = modified;
        if (known == null) {
            known = WatchEvent.of(WatchEventType.MODIFIED, present(object));
            modified = passed ? null : known;
        }
        return known;
    }

    private WatchEvent deleted() {
        WatchEvent known = deleted;
        if (known == null) {
            known = WatchEvent.of(WatchEventType.DELETED, present(previous).withResourceVersion(resourceVersion));
            deleted = passed ? null : known;
        }
        return known;
    }

    private static ApiObject present(@Nullable ApiObject object) {
        if (object == null) {
            throw new IllegalStateException("an event's form needs a state that the event does not have");
        }
        return object;
    }
}
