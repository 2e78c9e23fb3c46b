package io.keelson.cacher;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before following a resource is tried again: twice as long each time, from {@link #FIRST} to
 * {@link #LAST}, less up to half of it by chance, so that the resources of a store that came back do not all list at
 * once. What held for longer than {@link #LAST} begins anew. For one thread.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LAST = Duration.ofSeconds(5);

    private final RandomGenerator random;
    private Duration next = FIRST;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** @param held how long following went well before it ended; zero where it did not begin */
    Duration afterEnd(Duration held) {
        Duration wait = held.compareTo(LAST) > 0 ? FIRST : next;
        next = wait.multipliedBy(2).compareTo(LAST) > 0 ? LAST : wait.multipliedBy(2);
        long half = wait.toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }
}
