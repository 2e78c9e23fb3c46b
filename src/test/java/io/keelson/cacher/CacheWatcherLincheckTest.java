package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.SelectionPredicate;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Interleavings of the dispatcher and a watcher's consumer: no event is lost or comes twice, and who has seen that there
 * is nothing is woken by the next event.
 */
@Timeout(120)
public class CacheWatcherLincheckTest {
    private static final int WINDOW = 16;
    private static final long NOTHING = -1;
    private static final ApiObject[] OBJECTS = new ApiObject[WINDOW];

    static {
        for (int i = 0; i < WINDOW; i++) {
            OBJECTS[i] = TestingListerWatcher.object("ns/a", "uid", "front", "1", i + 1);
        }
    }

    /** A watcher that begins to read the log while it is written. Public, as the checker asks. */
    public static class FromTheLog {
        private final WatchCacheHistory history = new WatchCacheHistory(WINDOW, WINDOW, 0);
        private final CacheWatcher watcher = new CacheWatcher(
                0,
                TestingListerWatcher.PREFIX,
                history,
                SelectionPredicate.EVERYTHING,
                false,
                WatchStart.after(0, 0),
                () -> 0,
                () -> {});
        private volatile boolean woken;
        private boolean asleep;

        public FromTheLog() {
            watcher.onReady(() -> woken = true);
        }

        @Operation(nonParallelGroup = "dispatcher")
        public void dispatch() {
            long sequence = history.end();
            ApiObject object = OBJECTS[(int) sequence];
            var event = new WatchCacheEvent(
                    sequence, "/registry/things/ns/a", object, null, sequence + 1, 0, PersistentSortedMap.empty());
            var _ = history.append(event);
            watcher.offer(event);
        }

        /** The next event's revision. As a consumer does, it does not look before it is woken. */
        @Operation(nonParallelGroup = "consumer")
        public long next() {
            if (asleep && !woken) {
                return NOTHING;
            }
            woken = false;
            WatchEvent event = watcher.poll();
            asleep = event == null;
            return event == null ? NOTHING : event.resourceVersion();
        }
    }

    @Test
    void aWatcherMissesNothingWhenItTurnsFromTheLogToItsQueue() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(5)
                .invocationsPerIteration(100)
                .check(FromTheLog.class);
    }
}
