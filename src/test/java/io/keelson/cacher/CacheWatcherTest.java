package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.Concurrently;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.StorageContext;
import io.keelson.storage.WatchReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CacheWatcherTest {
    private static final int WINDOW = 200;
    private static final int STRESS_EVENTS = 20_000;
    private static final int STRESS_PAUSE = 300;

    private final WatchCacheHistory history = new WatchCacheHistory(WINDOW, WINDOW, 0);
    private final AtomicLong dispatched = new AtomicLong();
    private final AtomicInteger closes = new AtomicInteger();

    private CacheWatcher watcher(SelectionPredicate predicate, WatchStart start) {
        return new CacheWatcher(
                0,
                TestingListerWatcher.PREFIX,
                history,
                predicate,
                true,
                start,
                dispatched::get,
                closes::incrementAndGet);
    }

    private CacheWatcher watcherFromNow() {
        CacheWatcher watcher = watcher(SelectionPredicate.EVERYTHING, WatchStart.after(history.end(), history.end()));
        assertThat(watcher.poll()).isNull();
        return watcher;
    }

    /** An addition whose revision is its sequence and one. */
    private WatchCacheEvent log() {
        return log("front");
    }

    private WatchCacheEvent log(String tier) {
        long sequence = history.end();
        String path = "ns/" + sequence;
        ApiObject object = TestingListerWatcher.object(path, "uid", tier, "1", sequence + 1);
        var event = new WatchCacheEvent(
                sequence, TestingListerWatcher.key(path), object, null, sequence + 1, 0, PersistentSortedMap.empty());
        var _ = history.append(event);
        return event;
    }

    private void logAndOffer(CacheWatcher watcher, int count) {
        for (int i = 0; i < count; i++) {
            WatchCacheEvent event = log();
            watcher.offer(event);
            dispatched.set(event.resourceVersion());
        }
    }

    private static List<Long> drain(CacheWatcher watcher) {
        List<Long> revisions = new ArrayList<>();
        for (WatchEvent event = watcher.poll(); event != null; event = watcher.poll()) {
            revisions.add(event.resourceVersion());
        }
        return revisions;
    }

    private static List<Long> fromOneTo(long last) {
        List<Long> revisions = new ArrayList<>();
        for (long i = 1; i <= last; i++) {
            revisions.add(i);
        }
        return revisions;
    }

    @Test
    void aFullQueueGoesOnFromTheLog() {
        CacheWatcher watcher = watcherFromNow();
        logAndOffer(watcher, 3 * CacheWatcher.MAX_QUEUED);
        assertThat(drain(watcher)).isEqualTo(fromOneTo(3 * CacheWatcher.MAX_QUEUED));
        logAndOffer(watcher, 2);
        assertThat(drain(watcher)).hasSize(2);
    }

    @Test
    void eventsThatAreOfferedWhileItReadsTheLogComeOnce() {
        CacheWatcher watcher = watcherFromNow();
        List<Long> revisions = new ArrayList<>();
        logAndOffer(watcher, CacheWatcher.MAX_QUEUED + 5);
        for (int i = 0; i < 120; i++) {
            revisions.add(watcher.poll().resourceVersion());
            logAndOffer(watcher, 1);
        }
        revisions.addAll(drain(watcher));
        assertThat(revisions).isEqualTo(fromOneTo(history.end()));
    }

    @Test
    void aStalledConsumerIsWokenOnceAndHoldsNoMoreThanItsQueue() {
        CacheWatcher watcher = watcherFromNow();
        var woken = new AtomicInteger();
        watcher.onReady(woken::incrementAndGet);
        assertThat(watcher.poll()).isNull();
        int before = woken.get();
        logAndOffer(watcher, 2 * CacheWatcher.MAX_QUEUED);
        assertThat(woken.get() - before).isEqualTo(1);
        assertThat(drain(watcher)).hasSize(2 * CacheWatcher.MAX_QUEUED);
        logAndOffer(watcher, 1);
        assertThat(woken.get() - before).isEqualTo(2);
    }

    @Test
    void aConsumerThatIsNowQuickNowSlowGetsEachEventOnceAndIsWokenForIt() throws Exception {
        var wide = new WatchCacheHistory(STRESS_EVENTS, STRESS_EVENTS, 0);
        var stressed = new CacheWatcher(
                0,
                TestingListerWatcher.PREFIX,
                wide,
                SelectionPredicate.EVERYTHING,
                false,
                WatchStart.after(0, 0),
                () -> 0,
                () -> {});
        var woken = new Semaphore(0);
        var polled = new AtomicLong();
        stressed.onReady(woken::release);
        ApiObject object = TestingListerWatcher.object("ns/a", "uid", "front", "1", 1);
        Concurrently.run(2, thread -> {
            for (long sequence = 0; thread == 0 && sequence < STRESS_EVENTS; sequence++) {
                var event = new WatchCacheEvent(
                        sequence,
                        TestingListerWatcher.key("ns/a"),
                        object.withResourceVersion(sequence + 1),
                        null,
                        sequence + 1,
                        0,
                        PersistentSortedMap.empty());
                var _ = wide.append(event);
                stressed.offer(event);
                // Lets the consumer catch up now and then, so that it turns to its queue and back.
                while (sequence % STRESS_PAUSE == 0 && polled.get() < sequence) {
                    Thread.yield();
                }
            }
            while (thread == 1 && polled.get() < STRESS_EVENTS) {
                WatchEvent event = stressed.poll();
                if (event == null) {
                    assertThat(woken.tryAcquire(30, TimeUnit.SECONDS))
                            .as("woken after %d", polled.get())
                            .isTrue();
                } else {
                    assertThat(event.resourceVersion()).isEqualTo(polled.incrementAndGet());
                }
            }
            return thread;
        });
    }

    @Test
    void aQueueThatTheWindowPassesIsGivenOutBeforeTheEnd() {
        CacheWatcher watcher = watcherFromNow();
        logAndOffer(watcher, CacheWatcher.MAX_QUEUED + WINDOW + 1);
        List<String> events = new ArrayList<>();
        for (WatchEvent event = watcher.poll(); event != null; event = watcher.poll()) {
            assertThat(watcher.ended()).isEqualTo(event.resourceVersion() == 0);
            events.add(WatchReader.describe(event));
        }
        assertThat(events).hasSize(CacheWatcher.MAX_QUEUED + 1);
        assertThat(events.getLast()).contains("410");
    }

    @Test
    void aBookmarkComesAfterEverythingBeforeItAndOnce() {
        CacheWatcher watcher = watcherFromNow();
        logAndOffer(watcher, 3);
        watcher.requestBookmark();
        logAndOffer(watcher, 2);
        assertThat(drain(watcher)).containsExactly(1L, 2L, 3L, 4L, 5L, 5L);
        assertThat(watcher.poll()).isNull();
    }

    @Test
    void aBookmarkIsNeverBehindAnEventOutOfTheLog() {
        dispatched.set(0);
        log();
        CacheWatcher watcher = watcher(SelectionPredicate.EVERYTHING, WatchStart.after(0, 0));
        watcher.requestBookmark();
        // The event is in the log and not yet offered to all.
        assertThat(drain(watcher)).containsExactly(1L);
        var woken = new AtomicInteger();
        watcher.onReady(woken::incrementAndGet);
        watcher.remindOfBookmark();
        assertThat(woken).hasValue(2);
        dispatched.set(1);
        assertThat(watcher.poll().type()).hasToString("BOOKMARK");
        watcher.remindOfBookmark();
        assertThat(woken).hasValue(2);
    }

    @Test
    void aBookmarkWaitsForARevisionThatIsYetToCome() {
        CacheWatcher watcher = watcher(SelectionPredicate.EVERYTHING, WatchStart.after(2, 0));
        watcher.requestBookmark();
        logAndOffer(watcher, 1);
        assertThat(drain(watcher)).isEmpty();
        logAndOffer(watcher, 1);
        assertThat(drain(watcher)).containsExactly(2L);
        logAndOffer(watcher, 1);
        assertThat(drain(watcher)).containsExactly(3L);
    }

    @Test
    void aSelectorThatMatchesLittleTakesSeveralPollsAndWakesItself() {
        List<String> keys = new ArrayList<>();
        List<ApiObject> objects = new ArrayList<>();
        for (int i = 1000; i < 2000; i++) {
            String path = "ns/" + i;
            keys.add(TestingListerWatcher.key(path));
            objects.add(TestingListerWatcher.object(path, "uid", i == 1900 ? "back" : "front", "1", i - 999));
        }
        var state = PersistentSortedMap.ofSorted(keys, objects);
        CacheWatcher watcher = watcher(
                StorageContext.tier("back"),
                new WatchStart(0, 1000, state.cursor("", null), Bookmarks.initialEventsEnd(1000)));
        List<String> events = new ArrayList<>();
        var woken = new AtomicInteger();
        watcher.onReady(woken::incrementAndGet);
        int polls = 0;
        while (events.size() < 2) {
            int before = woken.get();
            WatchEvent event = watcher.poll();
            if (event == null) {
                assertThat(woken.get()).isGreaterThan(before);
            } else {
                events.add(WatchReader.describe(event));
            }
            polls++;
        }
        assertThat(events).containsExactly("ADDED ns/1900=1 @901", "BOOKMARK @1000");
        assertThat(polls).isGreaterThan(3);
    }

    @Test
    void anEventThatDoesNotMatchWakesNobodyWhoIsLive() {
        CacheWatcher watcher = watcher(StorageContext.tier("back"), WatchStart.after(0, 0));
        assertThat(watcher.poll()).isNull();
        var woken = new AtomicInteger();
        watcher.onReady(woken::incrementAndGet);
        watcher.offer(log("front"));
        assertThat(woken).hasValue(1);
        watcher.offer(log("back"));
        assertThat(woken).hasValue(2);
        assertThat(drain(watcher)).containsExactly(2L);
    }

    @Test
    void endingItLetsItsQueueBeReadAndClosingDropsIt() {
        CacheWatcher watcher = watcherFromNow();
        logAndOffer(watcher, 1);
        watcher.end();
        assertThat(watcher.ended()).isFalse();
        assertThat(drain(watcher)).containsExactly(1L);
        assertThat(watcher.ended()).isTrue();
        CacheWatcher closed = watcherFromNow();
        logAndOffer(closed, 1);
        closed.close();
        assertThat(closed.ended()).isTrue();
        assertThat(closed.poll()).isNull();
        logAndOffer(closed, 1);
        assertThat(closed.poll()).isNull();
        assertThat(closes).hasValue(1);
    }
}
