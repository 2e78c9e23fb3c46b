package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.ListerWatcher.Change;
import io.keelson.storage.SelectionPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchCacheTest {
    private static final long FIRST = 10;

    private static WatchCache cache(int window) {
        var cache = new WatchCache(new WatchCacheHistory(window, window, 0));
        cache.fill(PersistentSortedMap.empty(), FIRST);
        return cache;
    }

    private static List<WatchCacheEvent> put(WatchCache cache, String path, long revision) {
        return cache.apply(List.of(TestingListerWatcher.put(path, "at " + revision, revision)));
    }

    private static Change gone(String path, long revision) {
        return new Change(TestingListerWatcher.key(path), null, revision);
    }

    @Test
    void itShowsEachRevisionOfTheWindowAndNoOther() {
        WatchCache cache = cache(4);
        for (long revision = FIRST + 2; revision <= FIRST + 12; revision += 2) {
            put(cache, "ns/" + revision, revision);
        }
        // Six events, of which two have left the window.
        assertThat(cache.startRevision()).isEqualTo(FIRST + 4);
        assertThat(cache.stateAt(FIRST + 3)).isNull();
        assertThat(cache.stateAt(FIRST + 13)).isNull();
        for (long revision = FIRST + 4; revision <= FIRST + 12; revision++) {
            WatchCache.State state = cache.stateAt(revision);
            assertThat(state.revision()).isEqualTo(revision);
            assertThat(state.objects().size()).isEqualTo((int) ((revision - FIRST) / 2));
            assertThat(cache.sequenceAfter(revision)).isEqualTo((revision - FIRST) / 2);
            assertThat(state.nextSequence()).isEqualTo(cache.sequenceAfter(revision));
        }
        assertThat(cache.sequenceAfter(FIRST + 3)).isEqualTo(-1);
        assertThat(cache.sequenceAfter(FIRST + 100)).isEqualTo(cache.history().end());
    }

    @Test
    void aWindowThatBeginsInTheMiddleOfARevisionBeginsAfterIt() {
        WatchCache cache = cache(4);
        for (int i = 0; i < 4; i++) {
            put(cache, "ns/" + i, FIRST + 1 + i);
        }
        long lease = FIRST + 5;
        cache.apply(List.of(gone("ns/0", lease), gone("ns/1", lease), gone("ns/2", lease)));
        assertThat(cache.startRevision()).isEqualTo(FIRST + 3);
        put(cache, "ns/4", lease + 1);
        put(cache, "ns/5", lease + 2);
        // The window holds two of the lease's three deletions.
        assertThat(cache.startRevision()).isEqualTo(lease);
        assertThat(cache.sequenceAfter(lease - 1)).isEqualTo(-1);
        assertThat(cache.stateAt(lease - 1)).isNull();
        assertThat(cache.stateAt(lease).objects().size()).isEqualTo(1);
        assertThat(cache.history().get(cache.sequenceAfter(lease)).resourceVersion())
                .isEqualTo(lease + 1);
    }

    @Test
    void whatIsKnownAlreadyIsNotAnEvent() {
        WatchCache cache = cache(4);
        assertThat(put(cache, "ns/a", FIRST)).isEmpty();
        assertThat(put(cache, "ns/a", FIRST + 2)).hasSize(1);
        assertThat(put(cache, "ns/a", FIRST + 2)).isEmpty();
        assertThat(put(cache, "ns/a", FIRST + 1)).isEmpty();
        assertThat(cache.apply(List.of(gone("ns/none", FIRST + 3)))).isEmpty();
        assertThat(cache.state().revision()).isEqualTo(FIRST + 3);
        cache.progress(FIRST + 1);
        assertThat(cache.state().revision()).isEqualTo(FIRST + 3);
        cache.progress(FIRST + 9);
        assertThat(cache.state().revision()).isEqualTo(FIRST + 9);
        assertThat(cache.stateAt(FIRST + 8).objects().size()).isEqualTo(1);
    }

    @Test
    void changesToALaterListLeadToIt() {
        WatchCache cache = cache(20);
        for (int i = 0; i < 4; i++) {
            put(cache, "ns/" + i, FIRST + 1 + i);
        }
        WatchCache.State before = cache.state();
        ApiObject kept = before.objects().get(TestingListerWatcher.key("ns/0"));
        List<ApiObject> objects = List.of(
                kept,
                TestingListerWatcher.object("ns/1", "uid-of-ns/1", "front", "changed", 30),
                TestingListerWatcher.object("ns/2", "another", "front", "again", 25),
                TestingListerWatcher.object("ns/9", "uid", "front", "new", 28));
        var keys = List.of("ns/0", "ns/1", "ns/2", "ns/9").stream()
                .map(TestingListerWatcher::key)
                .toList();
        var list = PersistentSortedMap.ofSorted(keys, objects);
        List<Change> changes = cache.changesTo(list, 40);
        assertThat(changes)
                .extracting(change -> change.revision() + (change.object() == null ? " gone " : " is ") + change.key())
                .containsExactly(
                        "24 gone " + keys.get(2),
                        "25 is " + keys.get(2),
                        "28 is " + keys.get(3),
                        "30 is " + keys.get(1),
                        "40 gone " + TestingListerWatcher.key("ns/3"));
        changes.forEach(change -> cache.apply(List.of(change)));
        List<ApiObject> reached = new ArrayList<>();
        cache.state().objects().forEachWhile("", null, (key, object) -> reached.add(object));
        assertThat(reached).isEqualTo(objects);
    }

    @Test
    void oldEventsKeepNeitherStatesNorFrames() {
        WatchCache cache = cache(3 * WatchCache.MAX_SNAPSHOTS);
        put(cache, "ns/a", FIRST + 1);
        WatchCacheEvent old = cache.history().get(0);
        WatchEvent form = old.seenThrough(SelectionPredicate.EVERYTHING);
        assertThat(old.seenThrough(SelectionPredicate.EVERYTHING)).isSameAs(form);
        for (int i = 1; i <= WatchCache.MAX_SNAPSHOTS; i++) {
            put(cache, "ns/a", FIRST + 1 + i);
        }
        WatchEvent late = old.seenThrough(SelectionPredicate.EVERYTHING);
        assertThat(late).isNotSameAs(form);
        // A late reader's form is its own: the log would fill up with frames again.
        assertThat(old.seenThrough(SelectionPredicate.EVERYTHING)).isNotSameAs(late);
        assertThat(old.snapshot()).isNull();
        assertThat(cache.history().get(1).snapshot()).isNotNull();
        assertThat(cache.stateAt(FIRST)).isNull();
        assertThat(cache.stateAt(FIRST + 1)).isNull();
        assertThat(cache.stateAt(FIRST + 2)).isNotNull();
        assertThat(cache.sequenceAfter(FIRST)).isZero();
    }

    @Test
    void aReaderWaitsForALaterRevision() throws Exception {
        WatchCache cache = cache(4);
        assertThat(cache.awaitLaterThan(FIRST - 1, 0).revision()).isEqualTo(FIRST);
        assertThat(cache.awaitLaterThan(FIRST, TimeUnit.MILLISECONDS.toNanos(1)).revision())
                .isEqualTo(FIRST);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<WatchCache.State> event =
                    executor.submit(() -> cache.awaitLaterThan(FIRST + 1, TimeUnit.SECONDS.toNanos(30)));
            put(cache, "ns/a", FIRST + 2);
            assertThat(event.get().revision()).isEqualTo(FIRST + 2);
            Future<WatchCache.State> progress =
                    executor.submit(() -> cache.awaitLaterThan(FIRST + 5, TimeUnit.SECONDS.toNanos(30)));
            cache.progress(FIRST + 6);
            assertThat(progress.get().revision()).isEqualTo(FIRST + 6);
        }
    }
}
