package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.storage.Concurrently;
import io.keelson.storage.SelectionPredicate;
import org.junit.jupiter.api.Test;

class WatcherIndexTest {
    private final WatcherIndex index = new WatcherIndex();

    private static CacheWatcher watcher() {
        return new CacheWatcher(
                0,
                TestingListerWatcher.PREFIX,
                new WatchCacheHistory(1, 1, 0),
                SelectionPredicate.EVERYTHING,
                false,
                WatchStart.after(0, 0),
                () -> 0,
                () -> {});
    }

    @Test
    void watchersAreFoundByTheirScope() {
        CacheWatcher first = watcher();
        CacheWatcher second = watcher();
        CacheWatcher other = watcher();
        index.add("/a/", first);
        index.add("/a/", second);
        CacheWatcher[] handedOut = index.of("/a/");
        index.add("/a/b", other);
        index.remove("/a/", first);
        index.remove("/a/", first);
        index.remove("/none/", first);
        assertThat(handedOut).containsExactly(first, second);
        assertThat(index.of("/a/")).containsExactly(second);
        assertThat(index.of("/a/b")).containsExactly(other);
        assertThat(index.of("/a")).isEmpty();
        assertThat(index.size()).isEqualTo(2);
        index.remove("/a/", second);
        index.remove("/a/b", other);
        assertThat(index.all()).isEmpty();
    }

    @Test
    void watchersThatComeAndGoTogetherAreNotLost() throws Exception {
        CacheWatcher stays = watcher();
        index.add("/a/", stays);
        Concurrently.run(4, thread -> {
            for (int i = 0; i < 500; i++) {
                CacheWatcher own = watcher();
                index.add("/a/", own);
                assertThat(index.of("/a/")).contains(stays, own);
                index.remove("/a/", own);
            }
            return thread;
        });
        assertThat(index.of("/a/")).containsExactly(stays);
    }
}
