package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.cacher.store.Cursor;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.Keys;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.StorageErrors;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's watch: a cursor on the shared log, plus a small queue of events that match it.
 *
 * <pre>
 *   INITIAL ── all initial events polled ──▶ LAGGING ── cursor at the log's end ──▶ LIVE
 *                                               ▲                                    │
 *                                               └──────── queue full on offer ───────┘
 *   any ── the window has passed the cursor, or close ──▶ ENDED
 * </pre>
 *
 * <p>INITIAL reads a snapshot, LAGGING reads the log, LIVE is fed by the dispatcher. A watch begins as LAGGING, so that
 * starting in the past and having fallen behind are one mechanism.
 *
 * <p><b>Invariant.</b> {@code nextSequence} is the first event that has neither been given out nor queued nor judged not
 * to match. The dispatcher offers an event after it is in the log, so an event that is offered while LAGGING is found in
 * the log, and the turn to LIVE, which looks at the log's end under the lock that offers take, misses none.
 */
final class CacheWatcher implements Watch {
    /** How many events wait for a live watcher before it is sent back to the log. */
    static final int MAX_QUEUED = 64;

    /** A place that no window holds any more. */
    private static final long PASSED = -1;

    /** How many events of the log, or objects of the present state, one poll judges, so that a selector that matches little does not hold its thread. */
    private static final int MAX_SCANNED = 256;

    private enum Mode {
        INITIAL,
        LAGGING,
        LIVE,
        ENDED
    }

    private final long id;
    private final String scope;
    private final boolean wholeCollection;
    private final WatchCacheHistory history;
    private final SelectionPredicate predicate;
    private final boolean bookmarks;
    private final long startRevision;
    private final LongSupplier dispatchedRevision;
    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable onClose;

    @GuardedBy("lock")
    private Mode mode;

    @GuardedBy("lock")
    private long nextSequence;

    /** What the client knows: no bookmark may take it back behind this. */
    @GuardedBy("lock")
    private long reachedRevision;

    @GuardedBy("lock")
    private @Nullable ArrayDeque<WatchEvent> queue;

    @GuardedBy("lock")
    private @Nullable Cursor<ApiObject> initial;

    /** The bookmark that ends the initial events; null where none is due. */
    @GuardedBy("lock")
    private @Nullable WatchEvent initialEnd;

    /** Whether the consumer was told that there is nothing, so that it does not look again by itself. */
    @GuardedBy("lock")
    private boolean waiting;

    private volatile boolean bookmarkDue;
    private volatile Runnable callback = () -> {};

    /**
     * @param id counted from 0 for each cacher
     * @param scope the key of what it watches: a collection with its slash, or one object
     * @param dispatchedRevision up to which all events have been offered
     */
    CacheWatcher(
            long id,
            String scope,
            WatchCacheHistory history,
            SelectionPredicate predicate,
            boolean bookmarks,
            WatchStart start,
            LongSupplier dispatchedRevision,
            Runnable onClose) {
        this.id = id;
        this.scope = scope;
        this.wholeCollection = Keys.isCollection(scope);
        this.history = history;
        this.predicate = predicate;
        this.bookmarks = bookmarks;
        this.startRevision = start.revision();
        this.reachedRevision = start.revision();
        this.nextSequence = start.sequence();
        this.initial = start.initial();
        this.initialEnd = start.initialEnd();
        this.mode = start.initial() == null && start.initialEnd() == null ? Mode.LAGGING : Mode.INITIAL;
        this.dispatchedRevision = dispatchedRevision;
        this.onClose = onClose;
    }

    /** Its place among all watchers that its cacher has had, from 0. */
    long id() {
        return id;
    }

    SelectionPredicate predicate() {
        return predicate;
    }

    /** Takes an event of its scope from the dispatcher. Never blocks for longer than a poll's step. */
    void offer(WatchCacheEvent event) {
        boolean wake;
        lock.lock();
        try {
            if (mode != Mode.LIVE || event.sequence() < nextSequence) {
                return;
            }
            WatchEvent seen = event.resourceVersion() > startRevision ? event.seenThrough(predicate) : null;
            if (seen == null) {
                return;
            }
            if (!enqueue(seen)) {
                mode = Mode.LAGGING;
                nextSequence = event.sequence();
            }
            wake = waiting;
            waiting = false;
        } finally {
            lock.unlock();
        }
        // One who still has something to poll, as a stalled client does, costs nothing more.
        if (wake) {
            callback.run();
        }
    }

    @GuardedBy("lock")
    private boolean enqueue(WatchEvent event) {
        ArrayDeque<WatchEvent> queued = queue;
        if (queued == null) {
            queue = queued = new ArrayDeque<>(4);
        }
        if (queued.size() >= MAX_QUEUED) {
            return false;
        }
        queued.add(event);
        return true;
    }

    /** Asks for a bookmark once everything before it has been polled. */
    void requestBookmark() {
        if (bookmarks) {
            bookmarkDue = true;
            callback.run();
        }
    }

    /** Wakes the consumer where a bookmark that was asked for could not be given out yet. */
    void remindOfBookmark() {
        if (bookmarkDue) {
            callback.run();
        }
    }

    /** Ends the watch with 410 where it began in a gap, see {@link WatchCache}. */
    void expireIfBetween(long gapStart, long gapEnd) {
        if (startRevision > gapStart && startRevision < gapEnd) {
            expire();
        }
    }

    /** Ends the watch with 410: what comes next does not follow from what it has seen. */
    void expire() {
        lock.lock();
        try {
            if (mode != Mode.ENDED) {
                mode = Mode.LAGGING;
                nextSequence = PASSED;
            }
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    @Override
    public @Nullable WatchEvent poll() {
        boolean wakeAgain = false;
        lock.lock();
        try {
            WatchEvent queued = queue == null ? null : queue.poll();
            if (queued != null) {
                reachedRevision = queued.resourceVersion();
                return queued;
            }
            WatchEvent next = switch (mode) {
                case INITIAL -> pollInitial();
                case LAGGING -> pollLog();
                case LIVE -> pollBookmark();
                case ENDED -> null;
            };
            waiting = next == null;
            wakeAgain = next == null && (mode == Mode.LAGGING || mode == Mode.INITIAL);
            return next;
        } finally {
            lock.unlock();
            if (wakeAgain) {
                callback.run();
            }
        }
    }

    @GuardedBy("lock")
    private @Nullable WatchEvent pollInitial() {
        Cursor<ApiObject> cursor = initial;
        for (int scanned = 0; cursor != null && cursor.next(); scanned++) {
            if (predicate.matches(cursor.value())) {
                return WatchEvent.of(WatchEventType.ADDED, cursor.value());
            }
            if (scanned == MAX_SCANNED) {
                return null;
            }
        }
        initial = null;
        mode = Mode.LAGGING;
        WatchEvent end = initialEnd;
        initialEnd = null;
        return end == null ? pollLog() : end;
    }

    @GuardedBy("lock")
    private @Nullable WatchEvent pollLog() {
        for (int scanned = 0; scanned < MAX_SCANNED; scanned++) {
            if (nextSequence == history.end()) {
                mode = Mode.LIVE;
                return pollBookmark();
            }
            WatchCacheEvent event = history.get(nextSequence);
            if (event == null) {
                mode = Mode.ENDED;
                return WatchEvent.error(StorageErrors.toStatus(new StorageException.Expired(
                        "too old resource version: the watch fell behind the server's window of events; list again and"
                                + " watch from the list's resourceVersion")));
            }
            nextSequence++;
            WatchEvent seen = inScope(event) ? event.seenThrough(predicate) : null;
            if (seen != null) {
                reachedRevision = seen.resourceVersion();
                return seen;
            }
        }
        return null;
    }

    /** The log is that of the whole resource. */
    private boolean inScope(WatchCacheEvent event) {
        return event.resourceVersion() > startRevision
                && (wholeCollection
                        ? event.key().startsWith(scope)
                        : event.key().equals(scope));
    }

    /**
     * Everything that was offered has been polled, so all events up to the dispatched revision are delivered. That may be
     * less than an event out of the log told already, or than the start; the bookmark stays due then.
     */
    @GuardedBy("lock")
    private @Nullable WatchEvent pollBookmark() {
        if (!bookmarkDue) {
            return null;
        }
        long revision = dispatchedRevision.getAsLong();
        if (revision < reachedRevision) {
            return null;
        }
        bookmarkDue = false;
        reachedRevision = revision;
        return Bookmarks.progress(revision);
    }

    @Override
    public void onReady(Runnable ready) {
        callback = ready;
        ready.run();
    }

    @Override
    public boolean ended() {
        lock.lock();
        try {
            return mode == Mode.ENDED && (queue == null || queue.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch from the server's side: a plain end of stream, after which the client resumes elsewhere. */
    void end() {
        lock.lock();
        try {
            mode = Mode.ENDED;
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            mode = Mode.ENDED;
            queue = null;
            initial = null;
            initialEnd = null;
        } finally {
            lock.unlock();
        }
        onClose.run();
    }
}
