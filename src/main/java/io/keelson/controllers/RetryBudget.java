package io.keelson.controllers;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A bucket of tokens, one for each try of something that has failed before. It is full at first and fills at a steady rate; a try
 * that comes to an end gives its token back. So what goes on failing is tried so often and no oftener, however much of it there
 * is, and when what was in the way has gone, nothing holds the rest up. Not thread-safe.
 */
final class RetryBudget {
    /** How many tokens a full bucket has; client-go's default. */
    static final int BURST = 100;

    /** How long one token takes to come; client-go's default, ten a second. */
    static final Duration PERIOD = Duration.ofMillis(100);

    private final LongSupplier nanos;

    /** When the bucket is full, in the clock's nanoseconds. */
    private long fullAt;

    /** @param nanos a steady clock, in nanoseconds */
    RetryBudget(LongSupplier nanos) {
        this.nanos = nanos;
        this.fullAt = nanos.getAsLong();
    }

    /** How long until there is a token, in nanoseconds; 0 where there is one. */
    long untilNext() {
        long now = nanos.getAsLong();
        long missing = Math.max(0, fullAt - now);
        return Math.max(0, missing - (BURST - 1) * PERIOD.toNanos());
    }

    /** Takes a token, which there is. */
    void take() {
        long now = nanos.getAsLong();
        fullAt = (fullAt - now > 0 ? fullAt : now) + PERIOD.toNanos();
    }

    /** Gives a token back that was not needed. */
    void giveBack() {
        fullAt -= PERIOD.toNanos();
    }
}
