package io.keelson.cacher;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before following a resource is tried again: twice as long each time, up to a longest time, less up to
 * half of it by chance, so that the resources of a store that came back do not all list at once. What held for longer than
 * the longest time begins anew. For one thread.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LAST = Duration.ofSeconds(5);

    private final RandomGenerator random;
    private final Duration first;
    private final Duration last;
    private Duration next;

    Backoff(RandomGenerator random, Duration first, Duration last) {
        this.random = random;
        this.first = first;
        this.last = last;
        this.next = first;
    }

    /** @param held how long following went well before it ended; zero where it did not begin */
    Duration afterEnd(Duration held) {
        Duration wait = held.compareTo(last) > 0 ? first : next;
        next = wait.multipliedBy(2).compareTo(last) > 0 ? last : wait.multipliedBy(2);
        long half = wait.toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }
}
