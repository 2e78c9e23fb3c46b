package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import io.keelson.cacher.store.DiffConsumer;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.ListerWatcher.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A resource's present state and the window of its latest events.
 *
 * <p><b>Writers.</b> One thread at a time: the reflector's. It takes {@link #lock}, which readers take only to find a
 * place in the window or to wait.
 *
 * <p><b>Readers.</b> {@link #state} is one reference to an immutable value: the sorted map, the revision it shows and the
 * sequence of the event that comes next. A list or a watch's initial events read such a value for as long as they like.
 *
 * <p><b>Invariants.</b> The revision only rises. All changes up to and including the revision are in the map. The window
 * holds, without a gap, every change after {@code startRevision}: a watch may begin at any revision
 * {@code r >= startRevision}, where {@code startRevision} is the revision before the window's oldest event or, as long as
 * nothing has left the window, the revision of the list that filled the map.
 */
final class WatchCache {
    /** How many of the latest events keep the state after them, for lists at an exact revision. */
    static final int MAX_SNAPSHOTS = 1000;

    /** How many of the latest events keep their encoded frames. */
    private static final int MAX_FRAMES = 128;

    /**
     * The cache at one moment.
     *
     * @param revision up to which all changes are in {@code objects}
     * @param nextSequence the sequence of the first event that is not
     */
    record State(PersistentSortedMap<ApiObject> objects, long revision, long nextSequence) {}

    private final WatchCacheHistory history;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile State state = new State(PersistentSortedMap.empty(), 0, 0);

    @GuardedBy("lock")
    private long startRevision;

    @GuardedBy("lock")
    private @Nullable PersistentSortedMap<ApiObject> startObjects;

    WatchCache(WatchCacheHistory history) {
        this.history = history;
    }

    WatchCacheHistory history() {
        return history;
    }

    State state() {
        return state;
    }

    /** The oldest revision that a watch may begin after. */
    long startRevision() {
        lock.lock();
        try {
            return startRevision;
        } finally {
            lock.unlock();
        }
    }

    /** Fills the empty cache from a first list. */
    void fill(PersistentSortedMap<ApiObject> objects, long revision) {
        lock.lock();
        try {
            startRevision = revision;
            startObjects = objects;
            state = new State(objects, revision, history.end());
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The changes that lead from the present state to a later list, in order of revision. An object that was deleted and
     * made again gives both. The revision of a deletion is not known any more: it is taken to be the list's.
     */
    List<Change> changesTo(PersistentSortedMap<ApiObject> objects, long revision) {
        var changes = new ArrayList<Change>();
        PersistentSortedMap.diff(state.objects(), objects, new DiffConsumer<>() {
            @Override
            public void added(String key, ApiObject after) {
                changes.add(new Change(key, after, after.resourceVersion()));
            }

            @Override
            public void changed(String key, ApiObject before, ApiObject after) {
                if (before.resourceVersion() == after.resourceVersion()) {
                    return;
                }
                if (!before.meta().uid().equals(after.meta().uid())) {
                    changes.add(new Change(key, null, after.resourceVersion()));
                }
                added(key, after);
            }

            @Override
            public void removed(String key, ApiObject before) {
                changes.add(new Change(key, null, revision));
            }
        });
        changes.sort(Comparator.comparingLong(Change::revision));
        return changes;
    }

    /** Takes one change in; returns its event, or null where it was known already. */
    @Nullable
    WatchCacheEvent apply(Change change) {
        lock.lock();
        try {
            State before = state;
            ApiObject previous = before.objects().get(change.key());
            ApiObject object = change.object();
            if (change.revision() < before.revision() || (object == null && previous == null)) {
                return null;
            }
            var objects = object == null
                    ? before.objects().remove(change.key())
                    : before.objects().put(change.key(), object);
            var event = new WatchCacheEvent(
                    history.end(), change.key(), object, previous, change.revision(), System.nanoTime(), objects);
            log(event);
            state = new State(objects, change.revision(), history.end());
            advanced.signalAll();
            return event;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void log(WatchCacheEvent event) {
        long oldStart = history.start();
        WatchCacheEvent oldest = history.get(oldStart);
        history.append(event);
        if (history.start() != oldStart && oldest != null) {
            WatchCacheEvent last = history.start() == oldStart + 1 ? oldest : null;
            WatchCacheEvent first = history.get(history.start());
            startRevision = last != null
                    ? last.resourceVersion()
                    : first == null ? event.resourceVersion() : first.resourceVersion() - 1;
            startObjects = last == null ? null : last.snapshot();
        }
        WatchCacheEvent aged = history.get(event.sequence() - MAX_SNAPSHOTS);
        if (aged != null) {
            aged.dropSnapshot();
        }
        if (event.sequence() == MAX_SNAPSHOTS) {
            startObjects = null;
        }
        WatchCacheEvent passed = history.get(event.sequence() - MAX_FRAMES);
        if (passed != null) {
            passed.forgetForms();
        }
    }

    /** All changes up to and including a revision have been applied. */
    void progress(long revision) {
        lock.lock();
        try {
            State before = state;
            if (revision > before.revision()) {
                state = new State(before.objects(), revision, before.nextSequence());
                advanced.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The state once it shows a revision, or null where that takes longer than a time. */
    @Nullable
    State awaitRevision(long revision, long timeoutNanos) throws InterruptedException {
        State now = state;
        if (now.revision() >= revision) {
            return now;
        }
        long left = timeoutNanos;
        lock.lock();
        try {
            while (state.revision() < revision) {
                if (left <= 0) {
                    return null;
                }
                left = advanced.awaitNanos(left);
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** The state at exactly a revision, or null where the window does not reach it or it is yet to come. */
    @Nullable
    State stateAt(long revision) {
        lock.lock();
        try {
            State now = state;
            if (revision > now.revision() || revision < startRevision) {
                return null;
            }
            long next = history.firstAfter(revision);
            if (next == now.nextSequence()) {
                return new State(now.objects(), revision, next);
            }
            WatchCacheEvent last = next == history.start() ? null : history.get(next - 1);
            PersistentSortedMap<ApiObject> objects = last == null ? startObjects : last.snapshot();
            return objects == null ? null : new State(objects, revision, next);
        } finally {
            lock.unlock();
        }
    }

    /** The sequence of the first event after a revision, or -1 where the window has passed it. */
    long sequenceAfter(long revision) {
        lock.lock();
        try {
            return revision < startRevision ? -1 : history.firstAfter(revision);
        } finally {
            lock.unlock();
        }
    }
}
