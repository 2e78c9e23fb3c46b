package io.keelson.cacher;

import java.util.concurrent.TimeUnit;

/**
 * How reads of the most recent state went.
 *
 * @param consistent how many lists the cache answered
 * @param fallbacks how many went to storage, since the cache did not come so far in time
 * @param waits how many reads of any kind waited for a revision
 * @param waitedNanos how long they waited in all, in nanoseconds
 */
public record ReadCounts(long consistent, long fallbacks, long waits, long waitedNanos) {
    public double waited(TimeUnit unit) {
        return (double) waitedNanos / unit.toNanos(1);
    }
}
