package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import io.keelson.cacher.store.DiffConsumer;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.ListerWatcher.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
 * <p><b>Invariants.</b> The revision only rises. All changes up to and including the revision are in the map; those that
 * the store made at one revision come into it together. The window holds every change after {@code startRevision}: a watch
 * may begin at any revision {@code r >= startRevision}, where {@code startRevision} is the revision of the event that left
 * the window last or, as long as none has, the revision of the list that filled the map.
 *
 * <p><b>Gap.</b> After a break the window goes on with the difference between two states: right for a watch from before
 * the break or from after it, but between the two it does not tell what was when. So neither a watch nor a list at an
 * exact revision may begin there. One gap is kept; a second one ends the window before the first.
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
    private final HistoryBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile State state = new State(PersistentSortedMap.empty(), 0, 0);

    @GuardedBy("lock")
    private long startRevision;

    @GuardedBy("lock")
    private @Nullable PersistentSortedMap<ApiObject> startObjects;

    /** The revisions between which it is not known what was when, both exclusive. */
    @GuardedBy("lock")
    private long gapStart;

    @GuardedBy("lock")
    private long gapEnd;

    @GuardedBy("lock")
    private long breaks;

    @GuardedBy("lock")
    private boolean closed;

    WatchCache(WatchCacheHistory history) {
        this(history, HistoryBudget.unlimited());
    }

    /** @param budget what the window shares with others */
    WatchCache(WatchCacheHistory history, HistoryBudget budget) {
        this.history = history;
        this.budget = budget;
        budget.join(this);
    }

    /** About what the window holds, in bytes. */
    long historyBytes() {
        return history.heldBytes();
    }

    /** Whether the window is large enough to give its older half away; without the lock, as a hint. */
    boolean canHalveHistory() {
        return history.canHalve();
    }

    /** Gives the older half of the window away; false where there is none to give. */
    boolean halveHistory() {
        lock.lock();
        try {
            long before = history.heldBytes();
            WatchCacheEvent evicted = history.halve();
            account(before);
            if (evicted != null) {
                beginAfter(evicted);
            }
            return evicted != null;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void account(long bytesBefore) {
        if (!closed) {
            budget.account(history.heldBytes() - bytesBefore);
        }
    }

    /** The cache is not used any more: what it holds does not count. */
    void close() {
        lock.lock();
        try {
            if (!closed) {
                budget.leave(this);
                budget.account(-history.heldBytes());
                closed = true;
            }
        } finally {
            lock.unlock();
        }
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

    /** Fills the cache from a list; the window begins at it. */
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
     * made again gives both. The revision of a deletion is not known any more: it is taken to be the list's, or the one
     * before the object was made again.
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
                    changes.add(new Change(key, null, after.resourceVersion() - 1));
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

    /**
     * Takes all changes of one revision in; returns their events. None where the revision was known already, as after a
     * watch that began anew.
     */
    List<WatchCacheEvent> apply(List<Change> changes) {
        lock.lock();
        try {
            State before = state;
            long revision = changes.getFirst().revision();
            if (revision <= before.revision()) {
                return List.of();
            }
            return log(changes, revision);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the changes that lead to a later list in; returns their events. They become visible together, at the list's
     * revision: in the middle is no state that storage ever had.
     */
    List<WatchCacheEvent> goOn(List<Change> changes, long listRevision) {
        lock.lock();
        try {
            return log(changes, listRevision);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<WatchCacheEvent> log(List<Change> changes, long reached) {
        PersistentSortedMap<ApiObject> objects = state.objects();
        var events = new ArrayList<WatchCacheEvent>(changes.size());
        for (Change change : changes) {
            ApiObject previous = objects.get(change.key());
            ApiObject object = change.object();
            if (object == null && previous == null) {
                continue;
            }
            objects = object == null ? objects.remove(change.key()) : objects.put(change.key(), object);
            var event = new WatchCacheEvent(
                    history.end(), change.key(), object, previous, change.revision(), System.nanoTime(), objects);
            log(event);
            events.add(event);
        }
        state = new State(objects, reached, history.end());
        advanced.signalAll();
        return events;
    }

    /** To be called before the difference to a later list is applied: what was between is not known. */
    void beginGap(long listRevision) {
        lock.lock();
        try {
            long now = state.revision();
            if (listRevision <= now) {
                return;
            }
            if (gapEnd > startRevision) {
                startRevision = gapEnd;
                startObjects = null;
            }
            gapStart = now;
            gapEnd = listRevision;
            breaks++;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a list in place of a state that was not right: the window ends, as what it tells led to that state. */
    void replace(PersistentSortedMap<ApiObject> objects, long revision) {
        lock.lock();
        try {
            breaks++;
            fill(objects, revision);
        } finally {
            lock.unlock();
        }
    }

    /** Takes objects of a list in another form, where the state has them in the same revision. No watcher is told. */
    void renew(Map<String, ApiObject> listed) {
        lock.lock();
        try {
            State before = state;
            PersistentSortedMap<ApiObject> objects = before.objects();
            for (var entry : listed.entrySet()) {
                ApiObject known = objects.get(entry.getKey());
                ApiObject renewed = entry.getValue();
                if (known != null
                        && known.resourceVersion() == renewed.resourceVersion()
                        && !Arrays.equals(known.json(), renewed.json())) {
                    objects = objects.put(entry.getKey(), renewed);
                }
            }
            state = new State(objects, before.revision(), before.nextSequence());
        } finally {
            lock.unlock();
        }
    }

    /** How often the log was broken. A watch that is placed before a break may not begin after it as if it was none. */
    long breaks() {
        lock.lock();
        try {
            return breaks;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean unknown(long revision) {
        return revision < startRevision || (revision > gapStart && revision < gapEnd);
    }

    @GuardedBy("lock")
    private void log(WatchCacheEvent event) {
        long before = history.heldBytes();
        WatchCacheEvent evicted = history.append(event);
        account(before);
        if (evicted != null) {
            beginAfter(evicted);
        }
        WatchCacheEvent aged = history.get(event.sequence() - MAX_SNAPSHOTS);
        if (aged != null) {
            aged.dropSnapshot();
        }
        if (event.sequence() - history.start() >= MAX_SNAPSHOTS) {
            startObjects = null;
        }
        WatchCacheEvent passed = history.get(event.sequence() - MAX_FRAMES);
        if (passed != null) {
            passed.forgetForms();
        }
    }

    /** An event has left the window, which begins after it from now on. */
    @GuardedBy("lock")
    private void beginAfter(WatchCacheEvent evicted) {
        if (evicted.resourceVersion() >= startRevision) {
            startRevision = evicted.resourceVersion();
            startObjects = evicted.snapshot();
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

    /** The state once it shows a later revision than one that was seen, or the present one after a time. */
    State awaitLaterThan(long seenRevision, long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lock();
        try {
            while (state.revision() <= seenRevision && left > 0) {
                left = advanced.awaitNanos(left);
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** The present state where it is one that storage had at its revision; null before the first list and inside a gap. */
    @Nullable
    State settledState() {
        State now = state;
        return now.revision() == 0 ? null : stateAt(now.revision());
    }

    /** The state at exactly a revision, or null where the window does not reach it or it is yet to come. */
    @Nullable
    State stateAt(long revision) {
        lock.lock();
        try {
            State now = state;
            if (revision > now.revision() || unknown(revision)) {
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

    /**
     * The sequence of the first event after a revision, or -1 where the window does not tell what came after it. For a
     * revision that is yet to come the events up to it follow first.
     */
    long sequenceAfter(long revision) {
        lock.lock();
        try {
            return unknown(revision) ? -1 : history.firstAfter(revision);
        } finally {
            lock.unlock();
        }
    }
}
