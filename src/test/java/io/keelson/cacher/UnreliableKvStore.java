package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.ForwardingKvStore;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store that does to one cache whatever a store may do within its contract, by chance: calls fail, events come late and
 * in heaps, come again, watches break or turn out to be compacted, progress comes twice, or tells of less than was told
 * before. Thread-safe.
 */
final class UnreliableKvStore extends ForwardingKvStore {
    private static final int ONE_IN_FAILING_CALLS = 8;
    private static final int ONE_IN_LATE_EVENTS = 3;
    private static final int ONE_IN_REPEATED_EVENTS = 8;
    private static final int ONE_IN_BREAKS = 60;

    /** The revisions between the end of a watch and the list after it: what was when is not known there. */
    private record Gap(long before, long list) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Random random;

    @GuardedBy("lock")
    private final List<Gap> gaps = new ArrayList<>();

    /** Up to which revision the cache has been told everything. */
    @GuardedBy("lock")
    private long told;

    @GuardedBy("lock")
    private boolean watched;

    @GuardedBy("lock")
    private boolean calm = true;

    @GuardedBy("lock")
    private UnreliableSink running;

    UnreliableKvStore(KvStore store, long seed) {
        super(store);
        this.random = new Random(seed);
    }

    /** Begins to fail. */
    void rage() {
        lock.lock();
        try {
            calm = false;
        } finally {
            lock.unlock();
        }
    }

    /** Fails no longer, and gives out what it held back. */
    void calm() {
        lock.lock();
        try {
            calm = true;
            if (running != null) {
                running.flush();
            }
        } finally {
            lock.unlock();
        }
    }

    int breaks() {
        lock.lock();
        try {
            return gaps.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the cache may not know what the state was at a revision, or after which change. */
    boolean inGap(long revision) {
        lock.lock();
        try {
            return gaps.stream().anyMatch(gap -> revision > gap.before() && revision <= gap.list());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean oneIn(int chances) {
        return !calm && random.nextInt(chances) == 0;
    }

    @Override
    protected KvStore target() {
        lock.lock();
        try {
            if (oneIn(ONE_IN_FAILING_CALLS)) {
                throw new StorageException.Unreachable("the test's store is out of reach", null);
            }
        } finally {
            lock.unlock();
        }
        return super.target();
    }

    @Override
    public RangeResult range(String start, String end, long revision, int limit) {
        RangeResult range = super.range(start, end, revision, limit);
        lock.lock();
        try {
            // The list after a watch has ended.
            if (revision == 0 && watched) {
                gaps.add(new Gap(told, range.revision()));
                told = Math.max(told, range.revision());
            }
        } finally {
            lock.unlock();
        }
        return range;
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        var unreliable = new UnreliableSink(sink);
        lock.lock();
        try {
            told = Math.max(told, startRevision - 1);
            watched = true;
            running = unreliable;
        } finally {
            lock.unlock();
        }
        return super.watch(start, end, startRevision, unreliable);
    }

    private final class UnreliableSink implements KvWatchSink {
        private final KvWatchSink to;
        private final Deque<List<KvEvent>> late = new ArrayDeque<>();
        private boolean ended;

        UnreliableSink(KvWatchSink to) {
            this.to = to;
        }

        @Override
        public void onEvents(List<KvEvent> events) {
            lock.lock();
            try {
                late.add(events);
                if (!oneIn(ONE_IN_LATE_EVENTS)) {
                    deliverLate();
                }
                breakSometimes();
            } finally {
                lock.unlock();
            }
        }

        void flush() {
            lock.lock();
            try {
                deliverLate();
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void deliverLate() {
            while (!late.isEmpty() && !ended) {
                List<KvEvent> events = late.remove();
                told = Math.max(told, events.getLast().revision());
                to.onEvents(events);
                if (oneIn(ONE_IN_REPEATED_EVENTS)) {
                    to.onEvents(events);
                }
            }
        }

        @GuardedBy("lock")
        private void breakSometimes() {
            if (!ended && oneIn(ONE_IN_BREAKS)) {
                onError(
                        random.nextBoolean()
                                ? new StorageException.Unreachable("the test broke the watch", null)
                                : new StorageException.Expired("the test's watch was compacted"));
            }
        }

        @Override
        public void onProgress(long revision) {
            lock.lock();
            try {
                deliverLate();
                if (ended) {
                    return;
                }
                if (oneIn(2)) {
                    to.onProgress(Math.max(1, revision - random.nextInt(20)));
                }
                told = Math.max(told, revision);
                to.onProgress(revision);
                if (oneIn(2)) {
                    to.onProgress(revision);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onError(StorageException error) {
            lock.lock();
            try {
                if (!ended) {
                    ended = true;
                    to.onError(error);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
