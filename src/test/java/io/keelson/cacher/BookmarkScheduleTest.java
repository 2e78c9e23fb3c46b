package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.storage.SelectionPredicate;
import org.junit.jupiter.api.Test;

class BookmarkScheduleTest {
    private static final long PERIOD = 60;

    private final BookmarkSchedule schedule = new BookmarkSchedule();
    private final CacheWatcher watcher = new CacheWatcher(
            0,
            TestingListerWatcher.PREFIX,
            new WatchCacheHistory(1, 1, 0),
            SelectionPredicate.EVERYTHING,
            true,
            WatchStart.after(0, 0),
            () -> 5,
            () -> {});

    private boolean bookmarkAt(long now) {
        schedule.run(now, PERIOD);
        return watcher.poll() != null;
    }

    @Test
    void aBookmarkComesOnceAPeriod() {
        schedule.add(watcher, PERIOD, Long.MAX_VALUE);
        assertThat(bookmarkAt(0)).isFalse();
        assertThat(bookmarkAt(PERIOD - 1)).isFalse();
        assertThat(bookmarkAt(PERIOD)).isTrue();
        assertThat(bookmarkAt(PERIOD + 1)).isFalse();
        assertThat(bookmarkAt(2 * PERIOD + 5)).isTrue();
        assertThat(bookmarkAt(3 * PERIOD)).isFalse();
    }

    @Test
    void aBookmarkComesShortlyBeforeTheDeadlineOnce() {
        schedule.add(watcher, PERIOD, 20);
        assertThat(bookmarkAt(19)).isFalse();
        assertThat(bookmarkAt(20)).isTrue();
        assertThat(bookmarkAt(21)).isFalse();
        assertThat(bookmarkAt(PERIOD)).isFalse();
        assertThat(bookmarkAt(20 + PERIOD)).isTrue();
    }

    @Test
    void timesMayWrapAround() {
        long now = Long.MAX_VALUE - 10;
        schedule.add(watcher, now + PERIOD, Long.MAX_VALUE);
        assertThat(bookmarkAt(now + 5)).isFalse();
        assertThat(bookmarkAt(now + PERIOD)).isTrue();
    }

    @Test
    void aRemovedWatcherGetsNone() {
        schedule.add(watcher, PERIOD, Long.MAX_VALUE);
        schedule.remove(watcher);
        assertThat(bookmarkAt(PERIOD)).isFalse();
    }
}
