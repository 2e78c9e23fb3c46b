package io.keelson.controllers;

import java.time.Duration;

/**
 * How long to wait before something that failed is tried again: twice as long after each failure in a row.
 *
 * @param first the wait after one failure
 * @param last the longest wait
 */
record Backoff(Duration first, Duration last) {
    static final Backoff DEFAULT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /** From here on a doubled wait would leave the range of a long. */
    private static final int MAX_DOUBLINGS = 20;

    Backoff {
        if (!first.isPositive() || last.compareTo(first) < 0) {
            throw new IllegalArgumentException("0 < first <= last does not hold: " + first + ", " + last);
        }
    }

    /** @param failures how many failures in a row there were, at least 1 */
    Duration after(int failures) {
        Duration wait = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        return wait.compareTo(last) > 0 ? last : wait;
    }
}
