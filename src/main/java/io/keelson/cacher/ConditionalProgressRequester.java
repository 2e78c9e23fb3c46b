package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Asks storage how far it is while reads wait for that, once for all of them. A read that waits for a revision which the
 * request under way does not cover is served by the next request, sent once the answer to this one has come: so waiting
 * reads cost one request a round trip, however many they are. Where an answer does not come, or tells of less than was
 * known when it was asked for, the request is repeated after a {@link #PERIOD}. Thread-safe.
 */
final class ConditionalProgressRequester {
    /** After how long a request is repeated for reads that still wait. */
    static final Duration PERIOD = Duration.ofMillis(100);

    private final Runnable request;
    private final ReentrantLock lock = new ReentrantLock();

    /** The highest revision that a read waited for when the last request was sent; 0 before the first. */
    @GuardedBy("lock")
    private long covered;

    @GuardedBy("lock")
    private long sentAt;

    @GuardedBy("lock")
    private boolean underWay;

    /** @param request sends a request and returns at once */
    ConditionalProgressRequester(Runnable request) {
        this.request = request;
    }

    /**
     * To be called by each read that waits, again whenever the cache has changed and at least once a period.
     *
     * @param now by the monotonic clock
     */
    void ask(long revision, long now) {
        lock.lock();
        try {
            boolean recent = covered > 0 && now - sentAt < PERIOD.toNanos();
            if (recent && (underWay || revision <= covered)) {
                return;
            }
            begin(revision, now);
        } finally {
            lock.unlock();
        }
        request.run();
    }

    /**
     * To be called by a read that found the cache behind and does not wait for it, so that reads to come find it current. Sends a
     * request where none was sent for a {@link #PERIOD}.
     *
     * @param now by the monotonic clock
     */
    void suggest(long revision, long now) {
        lock.lock();
        try {
            if (covered > 0 && now - sentAt < PERIOD.toNanos()) {
                return;
            }
            begin(revision, now);
        } finally {
            lock.unlock();
        }
        request.run();
    }

    @GuardedBy("lock")
    private void begin(long revision, long now) {
        covered = Math.max(covered, revision);
        sentAt = now;
        underWay = true;
    }

    /** Storage has told how far it is. To be called before those who wait hear of it. */
    void answered() {
        lock.lock();
        try {
            underWay = false;
        } finally {
            lock.unlock();
        }
    }
}
