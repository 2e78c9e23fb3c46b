package io.keelson.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.ForwardingKvStore;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/** A store that can hold back, or lose, what the watches of one prefix bring. Thread-safe. */
final class StallingKvStore extends ForwardingKvStore {
    private final String prefix;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Runnable> held = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean stalled;

    @GuardedBy("lock")
    private boolean losing;

    StallingKvStore(KvStore store, String prefix) {
        super(store);
        this.prefix = prefix;
    }

    /** Holds everything back until {@link #goOn}. */
    void stall() {
        lock.lock();
        try {
            stalled = true;
        } finally {
            lock.unlock();
        }
    }

    void goOn() {
        lock.lock();
        try {
            stalled = false;
            held.forEach(Runnable::run);
            held.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Loses the next events. */
    void loseNext() {
        lock.lock();
        try {
            losing = true;
        } finally {
            lock.unlock();
        }
    }

    private void deliver(Runnable call) {
        lock.lock();
        try {
            if (stalled) {
                held.add(call);
            } else {
                call.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean loses() {
        lock.lock();
        try {
            boolean loses = losing;
            losing = false;
            return loses;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        return super.watch(start, end, startRevision, start.equals(prefix) ? new StallingSink(sink) : sink);
    }

    private final class StallingSink implements KvWatchSink {
        private final KvWatchSink to;

        StallingSink(KvWatchSink to) {
            this.to = to;
        }

        @Override
        public void onEvents(List<KvEvent> events) {
            if (!loses()) {
                deliver(() -> to.onEvents(events));
            }
        }

        @Override
        public void onProgress(long revision) {
            deliver(() -> to.onProgress(revision));
        }

        @Override
        public void onError(StorageException error) {
            deliver(() -> to.onError(error));
        }
    }
}
