package io.keelson.cacher;

import io.keelson.cacher.store.PersistentSortedMap;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All interleavings of a few calls on the ring: each read sees what it would see if the calls had been made one after the
 * other. One thread writes, as the ring asks.
 */
@Timeout(120)
public class WatchCacheHistoryLincheckTest {
    private static final int FRESH_NANOS = 3;

    private final WatchCacheHistory history = new WatchCacheHistory(1, 4, FRESH_NANOS);
    private long clock;

    /** Time goes by faster and slower, so that the ring grows and shrinks. */
    @Operation(nonParallelGroup = "writer")
    public void append(@Param(gen = BooleanGen.class) boolean late) {
        long sequence = history.end();
        clock += late ? 2 * FRESH_NANOS : 1;
        var _ = history.append(new WatchCacheEvent(
                sequence, "/registry/things/a", null, null, sequence, clock, PersistentSortedMap.empty()));
    }

    @Operation
    public long get(@Param(gen = IntGen.class, conf = "0:7") int sequence) {
        WatchCacheEvent event = history.get(sequence);
        return event == null ? -1 : event.sequence();
    }

    @Operation
    public long end() {
        return history.end();
    }

    @Test
    void readsAreLinearizable() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsBefore(3)
                .actorsPerThread(3)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(150)
                .check(WatchCacheHistoryLincheckTest.class);
    }
}
