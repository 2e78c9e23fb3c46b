package io.keelson.storage.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Gives each commit to all watches. A watch is registered at the revision that was given out last, so that what is up to
 * it comes from the history and what is after it from here, with no gap and no overlap. Lock order: hub, then watch.
 */
final class WatchHub implements Committer.Announcer, AutoCloseable {
    private final WatchHistory history;
    private final LongSupplier revision;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<EmbeddedWatch> watches = new ArrayList<>();

    @GuardedBy("lock")
    private long published;

    @GuardedBy("lock")
    private boolean closed;

    /** @param revision that of the latest write, which is published now or soon */
    WatchHub(WatchHistory history, LongSupplier revision) {
        this.history = history;
        this.revision = revision;
        this.published = revision.getAsLong();
    }

    EmbeddedWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        EmbeddedWatch watch;
        lock.lock();
        try {
            if (closed) {
                throw closedError();
            }
            watch = new EmbeddedWatch(
                    this, history, new EmbeddedWatch.Scope(start, end), sink, startRevision, published);
            watches.add(watch);
        } finally {
            lock.unlock();
        }
        var _ = Thread.ofVirtual().name("embedded-watch " + start).start(watch);
        return watch;
    }

    @Override
    public void committed(List<KvEvent> events, long revision) {
        lock.lock();
        try {
            published = revision;
            if (!events.isEmpty()) {
                watches.forEach(watch -> watch.offer(events, revision));
            }
        } finally {
            lock.unlock();
        }
    }

    void requestProgress() {
        long wanted = revision();
        lock.lock();
        try {
            watches.forEach(watch -> watch.wantProgress(wanted));
        } finally {
            lock.unlock();
        }
    }

    /** The revision of the latest write. */
    long revision() {
        return revision.getAsLong();
    }

    void remove(EmbeddedWatch watch) {
        lock.lock();
        try {
            watches.remove(watch);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches with an error, after what they still hold. */
    @Override
    public void close() {
        List<EmbeddedWatch> open;
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(watches);
        } finally {
            lock.unlock();
        }
        open.forEach(watch -> watch.fail(closedError()));
    }

    private static StorageException closedError() {
        return new StorageException.Unreachable("the embedded store is closed", null);
    }

    /** Where a watch that lags reads what it missed. */
    @FunctionalInterface
    interface WatchHistory {
        /** @throws StorageException.Expired where a part is compacted */
        ReadSession.EventPage read(EmbeddedWatch.Scope scope, long from, long to);
    }
}
