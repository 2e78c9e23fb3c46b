package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(new Random(1), Backoff.FIRST, Backoff.LAST);

    private void assertWaits(Duration held, Duration atMost) {
        assertThat(backoff.afterEnd(held)).isBetween(atMost.dividedBy(2), atMost);
    }

    @Test
    void whatFailsAgainAtOnceIsTriedEverMoreRarely() {
        // As when each list succeeds and the watch after it fails.
        Duration held = Duration.ofMillis(3);
        Duration wait = Backoff.FIRST;
        while (wait.compareTo(Backoff.LAST) < 0) {
            assertWaits(held, wait);
            wait = wait.multipliedBy(2);
        }
        assertWaits(held, Backoff.LAST);
        assertWaits(held, Backoff.LAST);
    }

    @Test
    void whatHeldForLongIsTriedAgainSoon() {
        for (int i = 0; i < 9; i++) {
            assertWaits(
                    Duration.ZERO,
                    Backoff.LAST.compareTo(Backoff.FIRST.multipliedBy(1L << i)) < 0
                            ? Backoff.LAST
                            : Backoff.FIRST.multipliedBy(1L << i));
        }
        assertWaits(Backoff.LAST.plusMillis(1), Backoff.FIRST);
        assertWaits(Duration.ZERO, Backoff.FIRST.multipliedBy(2));
    }
}
