package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Since when a cache has not known itself to be current. Now and then someone sees which revision the store is at; a cache
 * that shows that revision was current at that moment. Events alone prove nothing: they may come from a long queue.
 *
 * <p>Of the sightings that the cache has yet to reach the oldest and the newest are kept, so the lag is told rather too
 * long than too short, by one period of sightings at most while the cache keeps up. Thread-safe.
 */
final class LagTracker {
    private final ReentrantLock lock = new ReentrantLock();

    /** The revision that the cache has to reach to be known current at {@link #pendingAt}; 0 for none. */
    private volatile long pending;

    @GuardedBy("lock")
    private long pendingAt;

    @GuardedBy("lock")
    private long newest;

    @GuardedBy("lock")
    private long newestAt;

    private volatile long reached;
    private volatile long currentAt;

    /** @param now by the monotonic clock, as all times here */
    LagTracker(long now) {
        this.currentAt = now;
    }

    /** The store was at a revision at a time. */
    void sighted(long revision, long at) {
        lock.lock();
        try {
            if (revision >= newest) {
                newest = revision;
                newestAt = at;
            }
            if (pending == 0) {
                pending = revision;
                pendingAt = at;
            }
            // The cache may have come so far meanwhile, without having seen that something waits for it.
            settle(reached);
        } finally {
            lock.unlock();
        }
    }

    /** The cache shows a revision. Cheap as long as nothing waits for it. */
    void reached(long revision) {
        reached = revision;
        long awaited = pending;
        if (awaited == 0 || revision < awaited) {
            return;
        }
        lock.lock();
        try {
            settle(revision);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void settle(long revision) {
        if (pending > 0 && pending <= revision) {
            current(pendingAt);
            pending = 0;
        }
        if (newest <= revision) {
            current(newestAt);
        } else if (pending == 0) {
            pending = newest;
            pendingAt = newestAt;
        }
    }

    @GuardedBy("lock")
    private void current(long at) {
        if (at - currentAt > 0) {
            currentAt = at;
        }
    }

    /** The cache is current for a reason that no sighting tells. */
    void knownCurrent(long at) {
        lock.lock();
        try {
            current(at);
        } finally {
            lock.unlock();
        }
    }

    double secondsSinceCurrent(long now) {
        return Math.max(0, now - currentAt) / 1e9;
    }

    long revisionsBehind() {
        lock.lock();
        try {
            return Math.max(0, newest - reached);
        } finally {
            lock.unlock();
        }
    }
}
