package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LagTrackerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LagTracker lag = new LagTracker(0);

    private double secondsAt(long seconds) {
        return lag.secondsSinceCurrent(seconds * SECOND);
    }

    @Test
    void aCacheThatShowsWhatStorageHadWasCurrentThen() {
        lag.reached(10);
        lag.sighted(10, SECOND);
        assertThat(secondsAt(3)).isEqualTo(2);
        assertThat(lag.revisionsBehind()).isZero();
        lag.sighted(12, 4 * SECOND);
        assertThat(secondsAt(5)).isEqualTo(4);
        assertThat(lag.revisionsBehind()).isEqualTo(2);
        lag.reached(11);
        assertThat(secondsAt(5)).isEqualTo(4);
        lag.reached(12);
        assertThat(secondsAt(5)).isEqualTo(1);
        assertThat(lag.revisionsBehind()).isZero();
    }

    @Test
    void oneThatKeepsUpFromFarBehindIsToldSo() {
        for (int second = 1; second <= 5; second++) {
            lag.sighted(100L * second, second * SECOND);
        }
        lag.reached(150);
        // Current as of the first sighting, and on its way to the last.
        assertThat(secondsAt(6)).isEqualTo(5);
        assertThat(lag.revisionsBehind()).isEqualTo(350);
        lag.reached(499);
        assertThat(secondsAt(6)).isEqualTo(5);
        lag.reached(500);
        assertThat(secondsAt(6)).isEqualTo(1);
    }

    @Test
    void oneThatIsAheadOfASightingIsCurrent() {
        lag.reached(20);
        lag.sighted(10, SECOND);
        assertThat(secondsAt(1)).isZero();
        assertThat(lag.revisionsBehind()).isZero();
    }

    @Test
    void anOlderSightingTakesNothingBack() {
        lag.reached(10);
        lag.sighted(10, 5 * SECOND);
        lag.sighted(9, 3 * SECOND);
        lag.knownCurrent(4 * SECOND);
        assertThat(secondsAt(5)).isZero();
    }
}
