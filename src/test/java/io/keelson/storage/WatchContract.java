package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of watches that begin after a revision. */
public interface WatchContract extends StorageContext {
    int WATCH_WRITERS = 8;
    int WRITES_EACH = 25;

    @Test
    default void aWatchBringsWhatComesAfterItsRevision() {
        long created = create("ns/a", "1").resourceVersion();
        long updated = set("ns/a", "2").resourceVersion();
        WatchReader past = watch(prefix(), StorageContext.after(created));
        WatchReader live = watch(prefix(), StorageContext.after(updated));
        long b = create("ns/b", "1").resourceVersion();
        long gone = delete("ns/a").resourceVersion();
        List<String> later = List.of("ADDED ns/b=1 @" + b, "DELETED ns/a=2 @" + gone);
        assertThat(past.take(1)).containsExactly("MODIFIED ns/a=2 @" + updated);
        assertThat(past.take(2)).isEqualTo(later);
        assertThat(live.take(2)).isEqualTo(later);
        assertThat(live.poll()).isNull();
    }

    @Test
    default void aDeletionCarriesTheLastStateWithTheRevisionOfTheDeletion() {
        ApiObject created = create("ns/a", "1");
        WatchReader watch = watch(prefix(), StorageContext.after(created.resourceVersion()));
        ApiObject deleted = delete("ns/a");
        WatchEvent event = watch.next();
        assertThat(event.type()).isEqualTo(WatchEventType.DELETED);
        assertThat(event.object().json()).isEqualTo(deleted.json());
        assertThat(event.resourceVersion()).isEqualTo(deleted.resourceVersion());
    }

    @Test
    default void aWatchSeesItsScopeOnly() {
        long start = storage().currentResourceVersion();
        WatchReader namespace = watch(key("a/"), StorageContext.after(start));
        WatchReader one = watch(key("a/1"), StorageContext.after(start));
        WatchReader all = watch(prefix(), StorageContext.after(start));
        List<String> paths = List.of("a/10", "ab/1", "a-/1", "b/1", "a/1");
        paths.forEach(path -> create(path, path));
        delete("a/10");
        delete("a/1");
        assertThat(names(namespace, 4)).containsExactly("ADDED a/10", "ADDED a/1", "DELETED a/10", "DELETED a/1");
        assertThat(names(one, 2)).containsExactly("ADDED a/1", "DELETED a/1");
        assertThat(names(all, 7)).startsWith("ADDED a/10", "ADDED ab/1", "ADDED a-/1", "ADDED b/1");
    }

    private static List<String> names(WatchReader watch, int count) {
        return watch.take(count).stream()
                .map(event -> event.substring(0, event.indexOf('=')))
                .toList();
    }

    @Test
    default void enteringASelectorIsAnAdditionAndLeavingItADeletion() {
        long start = create("ns/a", "back", "1").resourceVersion();
        WatchReader front = watch(prefix(), StorageContext.after(start).withPredicate(StorageContext.tier("front")));
        long enters = setTier("ns/a", "front").resourceVersion();
        long stays = set("ns/a", "2").resourceVersion();
        long leaves = setTier("ns/a", "back").resourceVersion();
        set("ns/a", "unseen");
        delete("ns/a");
        long again = create("ns/a", "front", "3").resourceVersion();
        long gone = delete("ns/a").resourceVersion();
        assertThat(front.take(5))
                .containsExactly(
                        "ADDED ns/a=1 @" + enters,
                        "MODIFIED ns/a=2 @" + stays,
                        // The state that the selector saw last, not the one that it does not match.
                        "DELETED ns/a=2 @" + leaves,
                        "ADDED ns/a=3 @" + again,
                        "DELETED ns/a=3 @" + gone);
    }

    @Test
    default void aWatchWithAFieldSelectorSeesItsMatchesOnly() {
        long start = storage().currentResourceVersion();
        WatchReader ones =
                watch(prefix(), StorageContext.after(start).withPredicate(StorageContext.field("spec.value=1")));
        WatchReader named =
                watch(prefix(), StorageContext.after(start).withPredicate(StorageContext.field("metadata.name=b")));
        create("ns/a", "1");
        create("ns/b", "2");
        set("ns/a", "2");
        set("ns/b", "1");
        assertThat(names(ones, 3)).containsExactly("ADDED ns/a", "DELETED ns/a", "ADDED ns/b");
        assertThat(names(named, 2)).containsExactly("ADDED ns/b", "MODIFIED ns/b");
    }

    @Test
    default void aWatchFromARevisionThatIsYetToComeWaitsForIt() {
        long now = create("ns/a", "0").resourceVersion();
        WatchReader watch = watch(prefix(), StorageContext.after(now + 2).withAllowBookmarks(true));
        set("ns/a", "1");
        set("ns/a", "2");
        long third = set("ns/a", "3").resourceVersion();
        assertThat(watch.until(third)).extracting(WatchReader::describe).containsExactly("MODIFIED ns/a=3 @" + third);
    }

    @Test
    default void aWatchFromACompactedRevisionEndsWithExpired() {
        long old = create("ns/a", "0").resourceVersion();
        long last = old;
        for (int i = 0; i < 150; i++) {
            last = set("ns/a", "v" + i).resourceVersion();
        }
        compact(last);
        Storage other = impatientStorage();
        try (var watch = new WatchReader(other.watch(prefix(), StorageContext.after(old)))) {
            WatchEvent event = watch.next();
            assertThat(event.type()).isEqualTo(WatchEventType.ERROR);
            assertThat(new String(event.json(), StandardCharsets.UTF_8))
                    .contains("\"code\":410")
                    .contains("\"reason\":\"Expired\"");
            watch.awaitEnd();
            assertThat(watch.poll()).isNull();
        }
    }

    @Test
    default void aClosedWatchEndsAndBringsNothingMore() {
        long start = storage().currentResourceVersion();
        WatchReader closed = watch(prefix(), StorageContext.after(start));
        WatchReader open = watch(prefix(), StorageContext.after(start));
        create("ns/a", "1");
        open.take(1);
        closed.take(1);
        create("ns/b", "1");
        closed.close();
        closed.close();
        assertThat(closed.ended()).isTrue();
        assertThat(closed.poll()).isNull();
        create("ns/c", "1");
        assertThat(names(open, 2)).containsExactly("ADDED ns/b", "ADDED ns/c");
        assertThat(closed.poll()).isNull();
    }

    @Test
    default void aReaderThatComesLateMissesNothing() {
        long start = storage().currentResourceVersion();
        WatchReader watch = watch(prefix(), StorageContext.after(start));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            expected.add("ADDED ns/" + i + "=1 @" + create("ns/" + i, "1").resourceVersion());
        }
        assertThat(watch.take(90)).isEqualTo(expected);
    }

    @Test
    default void concurrentWritesComeExactlyOnceAndInOrder() throws Exception {
        long start = storage().currentResourceVersion();
        List<WatchReader> watches = new ArrayList<>();
        watches.add(watch(prefix(), StorageContext.after(start)));
        List<String> written = Concurrently.run(WATCH_WRITERS, writer -> write("ns/" + writer)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(WatchContract::revision))
                .toList();
        watches.add(watch(prefix(), StorageContext.after(start)));
        watches.add(watch(key("ns/"), StorageContext.after(start)));
        for (WatchReader watch : watches) {
            assertThat(watch.take(written.size())).isEqualTo(written);
        }
        String middle = written.get(written.size() / 2);
        assertThat(watch(prefix(), StorageContext.after(revision(middle))).take(written.size() / 2 - 1))
                .isEqualTo(written.subList(written.size() / 2 + 1, written.size()));
    }

    private List<String> write(String path) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < WRITES_EACH; i++) {
            events.add(
                    switch (i % 5) {
                        case 0 ->
                            "ADDED " + path + "=" + i + " @"
                                    + create(path, "" + i).resourceVersion();
                        case 4 ->
                            "DELETED " + path + "=" + (i - 1) + " @"
                                    + delete(path).resourceVersion();
                        default ->
                            "MODIFIED " + path + "=" + i + " @"
                                    + set(path, "" + i).resourceVersion();
                    });
        }
        return events;
    }

    private static long revision(String event) {
        return Long.parseLong(event.substring(event.indexOf('@') + 1));
    }

    @Test
    default void aBookmarkComesAfterAllEventsUpToIt() {
        assumeTrue(cached() || supportsProgress(), "this store's progress is not to be relied on");
        long start = storage().currentResourceVersion();
        WatchReader silent = watch(prefix(), StorageContext.after(start));
        WatchReader watch = watch(prefix(), StorageContext.after(start).withAllowBookmarks(true));
        long last = 0;
        for (int i = 0; i < 20; i++) {
            last = create("ns/" + i, "1").resourceVersion();
            requestBookmarks();
        }
        List<WatchEvent> events = new ArrayList<>();
        WatchEvent event;
        long reached = start;
        do {
            event = watch.next();
            assertThat(event.resourceVersion()).isGreaterThanOrEqualTo(reached);
            reached = event.resourceVersion();
            if (event.type() == WatchEventType.BOOKMARK) {
                assertThat(events).hasSize((int) (event.resourceVersion() - start));
                requestBookmarks();
            } else {
                events.add(event);
            }
        } while (event.type() != WatchEventType.BOOKMARK || event.resourceVersion() < last);
        assertThat(new String(event.json(), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"resourceVersion\":\"" + last + "\"}}");
        assertThat(silent.take(20)).noneMatch(text -> text.startsWith("BOOKMARK"));
    }

    /** Asks that the watches that may carry bookmarks get one. */
    default void requestBookmarks() {
        storage().requestWatchProgress();
    }
}
