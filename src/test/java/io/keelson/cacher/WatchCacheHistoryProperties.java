package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring against a list that keeps everything. */
@Timeout(60)
class WatchCacheHistoryProperties {
    private static final long FRESH_NANOS = 1000;
    private static final int EVENTS = 2000;
    private static final int READERS = 3;

    private static WatchCacheEvent event(long sequence, long revision, long nanoTime) {
        return new WatchCacheEvent(sequence, "key", null, null, revision, nanoTime, PersistentSortedMap.empty());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void itHoldsTheLatestEventsOfAllThatWereAppended(long seed) {
        var random = new Random(seed);
        int minimum = 1 + random.nextInt(20);
        int maximum = minimum * (1 + random.nextInt(20));
        var history = new WatchCacheHistory(minimum, maximum, FRESH_NANOS);
        List<WatchCacheEvent> all = new ArrayList<>();
        long revision = 0;
        long now = 0;
        long start = 0;
        boolean grew = false;
        for (int i = 0; i < EVENTS; i++) {
            // Several events of one revision, and times of much and of little change.
            revision += random.nextInt(3);
            now += (i / 300) % 2 == 0 ? random.nextInt(20) : random.nextInt((int) FRESH_NANOS);
            int capacity = history.capacity();
            WatchCacheEvent event = event(i, revision, now);
            WatchCacheEvent evicted = history.append(event);
            all.add(event);
            assertThat(evicted).isSameAs(history.start() == start ? null : all.get((int) history.start() - 1));
            assertThat(history.start()).isGreaterThanOrEqualTo(start);
            start = history.start();
            assertThat(history.end()).isEqualTo(all.size());
            assertThat(history.capacity()).isBetween(minimum, maximum);
            assertThat(history.end() - start).isLessThanOrEqualTo(history.capacity());
            grew |= history.capacity() > capacity;
            check(history, all, random);
        }
        assertThat(grew).isEqualTo(maximum > minimum);
    }

    private static void check(WatchCacheHistory history, List<WatchCacheEvent> all, Random random) {
        long start = history.start();
        long sequence = random.nextInt(all.size() + 2) - 1L;
        boolean inWindow = sequence >= start && sequence < all.size();
        assertThat(history.get(sequence)).isSameAs(inWindow ? all.get((int) sequence) : null);
        assertThat(history.get(start)).isSameAs(all.get((int) start));
        long revision = all.get(random.nextInt(all.size())).resourceVersion() + random.nextInt(3) - 1;
        long first = start;
        while (first < all.size() && all.get((int) first).resourceVersion() <= revision) {
            first++;
        }
        assertThat(history.firstAfter(revision)).isEqualTo(first);
    }

    @Test
    void itGrowsWhileItsOldestEventIsFreshAndShrinksWhenLittleHappens() {
        var history = new WatchCacheHistory(4, 16, FRESH_NANOS);
        long sequence = 0;
        for (; sequence < 40; sequence++) {
            history.append(event(sequence, sequence, sequence));
        }
        assertThat(history.capacity()).isEqualTo(16);
        assertThat(history.end() - history.start()).isEqualTo(16);
        long now = sequence;
        for (int i = 0; i < 60; i++) {
            now += FRESH_NANOS;
            history.append(event(sequence, sequence, now));
            sequence++;
        }
        assertThat(history.capacity()).isEqualTo(4);
        assertThat(history.start()).isEqualTo(sequence - 4);
    }

    @Test
    void itKeepsItsSizeWhereItMayNotChange() {
        var history = new WatchCacheHistory(1, 1, FRESH_NANOS);
        for (long sequence = 0; sequence < 10; sequence++) {
            history.append(event(sequence, sequence, 0));
            assertThat(history.capacity()).isEqualTo(1);
            assertThat(history.get(sequence).sequence()).isEqualTo(sequence);
            assertThat(history.get(sequence - 1)).isNull();
        }
    }

    @Test
    void readersSeeTheRightEventOrNoneWhileItIsWrittenAndResized() throws Exception {
        var history = new WatchCacheHistory(4, 64, FRESH_NANOS);
        var written = new AtomicBoolean();
        List<Long> read = Concurrently.run(READERS + 1, thread -> {
            if (thread == 0) {
                return writeAll(history, written);
            }
            long cursor = 0;
            long seen = 0;
            while (!written.get() || cursor < history.end()) {
                WatchCacheEvent event = history.get(cursor);
                if (event != null) {
                    assertThat(event.sequence()).isEqualTo(cursor);
                    cursor++;
                    seen++;
                } else if (cursor < history.start()) {
                    cursor = history.start();
                } else {
                    Thread.yield();
                }
            }
            assertThat(cursor).isEqualTo(history.end());
            return seen;
        });
        assertThat(read).allMatch(count -> count > 0);
    }

    private static long writeAll(WatchCacheHistory history, AtomicBoolean written) {
        var random = new Random(1);
        long now = 0;
        for (long sequence = 0; sequence < 50_000; sequence++) {
            now += (sequence / 200) % 2 == 0 ? 1 : FRESH_NANOS;
            history.append(event(sequence, sequence, now));
            if (random.nextInt(50) == 0) {
                Thread.yield();
            }
        }
        written.set(true);
        return history.end();
    }
}
