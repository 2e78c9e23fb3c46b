package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HistoryBudgetTest {
    private static final int MINIMUM = 8;
    private static final int MAXIMUM = MINIMUM * 1024;
    private static final long FRESH_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final String TEXT = "x".repeat(1000);

    /** Room for some hundred updates of an object with the text. */
    private static final long BYTES = 400_000;

    private final HistoryBudget budget = new HistoryBudget(BYTES);

    private WatchCache cache() {
        var cache =
                new WatchCache(new WatchCacheHistory(MINIMUM, MAXIMUM, FRESH_NANOS, budget::allowsToDouble), budget);
        cache.fill(PersistentSortedMap.empty(), 1);
        return cache;
    }

    private void put(WatchCache cache, int name, long revision) {
        cache.apply(List.of(TestingListerWatcher.put("ns/" + name, TEXT, revision)));
        budget.settle();
    }

    private static int size(WatchCache cache) {
        return (int) (cache.history().end() - cache.history().start());
    }

    private static long counted(WatchCache cache) {
        long bytes = 0;
        for (long sequence = cache.history().start(); sequence < cache.history().end(); sequence++) {
            bytes += cache.history().get(sequence).heldBytes();
        }
        return bytes;
    }

    @Test
    void aWindowGrowsNoFurtherThanThereIsMemoryFor() {
        WatchCache cache = cache();
        for (int i = 0; i < 5000; i++) {
            put(cache, i % 10, i + 2);
            assertThat(budget.heldBytes()).isLessThanOrEqualTo(BYTES);
        }
        assertThat(cache.historyBytes()).isGreaterThan(BYTES / 4);
        assertThat(size(cache)).isBetween(10 * MINIMUM, MAXIMUM / 10);
    }

    @Test
    void theLargestWindowGivesWayToOneThatHasLittle() {
        WatchCache first = cache();
        WatchCache second = cache();
        long revision = 2;
        for (int i = 0; i < 2000; i++) {
            put(first, i % 10, revision++);
        }
        int alone = size(first);
        for (int i = 0; i < 2000; i++) {
            put(second, i % 10, revision++);
        }
        assertThat(size(first)).isLessThan(alone);
        assertThat(size(second)).isGreaterThan(4 * MINIMUM);
        assertThat(budget.heldBytes()).isLessThanOrEqualTo(BYTES);
    }

    @Test
    void aWindowKeepsItsSmallestSizeHoweverLittleMemoryThereIs() {
        var none = new HistoryBudget(0);
        var cache = new WatchCache(new WatchCacheHistory(MINIMUM, MAXIMUM, FRESH_NANOS, none::allowsToDouble), none);
        cache.fill(PersistentSortedMap.empty(), 1);
        for (int i = 0; i < 10 * MINIMUM; i++) {
            cache.apply(List.of(TestingListerWatcher.put("ns/1", TEXT, i + 2)));
            none.settle();
            assertThat(size(cache)).isEqualTo(Math.min(i + 1, MINIMUM));
        }
    }

    @Test
    void whatAWindowAloneHoldsIsTheStatesThatLaterOnesHaveReplaced() {
        WatchCache cache = cache();
        put(cache, 1, 2);
        assertThat(cache.historyBytes()).isEqualTo(WatchCacheEvent.OVERHEAD_BYTES);
        put(cache, 1, 3);
        assertThat(cache.historyBytes()).isBetween(2L * WatchCacheEvent.OVERHEAD_BYTES + TEXT.length(), 3000L);
        cache.close();
        assertThat(budget.heldBytes()).isZero();
        put(cache, 1, 4);
        assertThat(budget.heldBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void windowsTellTheTruthWhateverTheyGiveAway(long seed) {
        var random = new Random(seed);
        List<WatchCache> caches =
                IntStream.range(0, 1 + random.nextInt(5)).mapToObj(i -> cache()).toList();
        long revision = 2;
        for (int i = 0; i < 4000; i++) {
            WatchCache cache = caches.get(Math.min(random.nextInt(caches.size()), random.nextInt(caches.size())));
            put(cache, random.nextInt(50), revision++);
            assertThat(budget.heldBytes())
                    .isEqualTo(
                            caches.stream().mapToLong(WatchCache::historyBytes).sum());
            if (i % 50 == 0) {
                assertThat(cache.historyBytes()).isEqualTo(counted(cache));
                assertThat(cache.sequenceAfter(cache.startRevision()))
                        .isEqualTo(cache.history().start());
                assertThat(cache.sequenceAfter(cache.startRevision() - 1)).isEqualTo(-1);
            }
        }
        assertThat(budget.heldBytes()).isLessThanOrEqualTo(BYTES);
    }

    @Test
    void windowsGiveWayWhileOthersAreWritten() throws Exception {
        var caches = new ArrayList<WatchCache>();
        for (int i = 0; i < 4; i++) {
            caches.add(cache());
        }
        Concurrently.run(caches.size(), writer -> {
            for (int i = 0; i < 3000; i++) {
                put(caches.get(writer), i % 10, i + 2);
            }
            return writer;
        });
        assertThat(budget.heldBytes())
                .isEqualTo(caches.stream().mapToLong(WatchCache::historyBytes).sum())
                .isEqualTo(caches.stream().mapToLong(HistoryBudgetTest::counted).sum())
                .isLessThanOrEqualTo(BYTES);
    }
}
