package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiObject;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.Concurrently;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.StorageContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatcherIndexTest {
    private final WatcherIndex index = new WatcherIndex();

    private static CacheWatcher watcher() {
        return watcher(SelectionPredicate.EVERYTHING);
    }

    private static CacheWatcher watcher(SelectionPredicate predicate) {
        return new CacheWatcher(
                0,
                TestingListerWatcher.PREFIX,
                new WatchCacheHistory(1, 1, 0),
                predicate,
                false,
                WatchStart.after(0, 0),
                () -> 0,
                () -> {});
    }

    private static ApiObject object(String value) {
        return value == null ? null : TestingListerWatcher.object("ns/a", "uid", "front", value, 1);
    }

    private static WatchCacheEvent event(String before, String after) {
        return new WatchCacheEvent(
                0, TestingListerWatcher.key("ns/a"), object(after), object(before), 1, 0, PersistentSortedMap.empty());
    }

    private int offers(String scope) {
        return index.offer(scope, event(null, "1"));
    }

    private List<CacheWatcher> all() {
        List<CacheWatcher> all = new ArrayList<>();
        index.forEach(all::add);
        return all;
    }

    @Test
    void watchersAreFoundByTheirScope() {
        CacheWatcher first = watcher();
        CacheWatcher second = watcher();
        CacheWatcher other = watcher();
        index.add("/a/", first);
        index.add("/a/", second);
        index.add("/a/b", other);
        assertThat(offers("/a/")).isEqualTo(2);
        assertThat(offers("/a/b")).isEqualTo(1);
        assertThat(offers("/a")).isZero();
        index.remove("/a/", first);
        index.remove("/a/", first);
        index.remove("/none/", first);
        assertThat(offers("/a/")).isEqualTo(1);
        assertThat(all()).containsExactlyInAnyOrder(second, other);
        assertThat(index.size()).isEqualTo(2);
        index.remove("/a/", second);
        index.remove("/a/b", other);
        assertThat(all()).isEmpty();
    }

    @Test
    void watchersOfAFieldsValueAreFoundByIt() {
        CacheWatcher one = watcher(StorageContext.field("spec.value=1"));
        CacheWatcher two = watcher(StorageContext.field("metadata.name!=x,spec.value=2"));
        CacheWatcher named = watcher(StorageContext.field("metadata.name=a"));
        CacheWatcher others = watcher(StorageContext.field("spec.value!=1"));
        List.of(one, two, named, others).forEach(watcher -> index.add("/a/", watcher));
        assertThat(index.size()).isEqualTo(4);
        // The one by name and the one whose value is open see every event.
        assertThat(index.offer("/a/", event(null, "1"))).isEqualTo(3);
        assertThat(index.offer("/a/", event("1", "1"))).isEqualTo(3);
        assertThat(index.offer("/a/", event("1", "2"))).isEqualTo(4);
        assertThat(index.offer("/a/", event("2", null))).isEqualTo(3);
        assertThat(index.offer("/a/", event("3", "4"))).isEqualTo(2);
        index.remove("/a/", named);
        index.remove("/a/", named);
        assertThat(index.offer("/a/", event("1", "2"))).isEqualTo(3);
        index.remove("/a/", one);
        assertThat(index.offer("/a/", event("1", "2"))).isEqualTo(2);
        List.of(two, others).forEach(watcher -> index.remove("/a/", watcher));
        assertThat(all()).isEmpty();
        assertThat(index.offer("/a/", event("1", "2"))).isZero();
    }

    @Test
    void watchersThatComeAndGoTogetherAreNotLost() throws Exception {
        for (SelectionPredicate predicate :
                List.of(SelectionPredicate.EVERYTHING, StorageContext.field("spec.value=1"))) {
            CacheWatcher stays = watcher(predicate);
            index.add("/a/", stays);
            Concurrently.run(4, thread -> {
                for (int i = 0; i < 500; i++) {
                    CacheWatcher own = watcher(predicate);
                    index.add("/a/", own);
                    assertThat(all()).contains(stays, own);
                    assertThat(offers("/a/")).isGreaterThanOrEqualTo(2);
                    index.remove("/a/", own);
                }
                return thread;
            });
            assertThat(all()).containsExactly(stays);
            index.remove("/a/", stays);
        }
    }
}
