package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of watches that begin with the present state. */
public interface InitialEventsContract extends StorageContext {
    ListOptions STREAMING_LIST = ListOptions.LATEST.withSendInitialEvents(true).withAllowBookmarks(true);

    @Test
    default void aWatchWithoutRevisionBeginsWithThePresentState() {
        long b = create("ns/b", "1").resourceVersion();
        long a = create("ns/a", "1").resourceVersion();
        long gone = create("ns/gone", "1").resourceVersion();
        delete("ns/gone");
        WatchReader watch = watch(prefix(), ListOptions.LATEST);
        assertThat(watch.take(2)).containsExactly("ADDED ns/a=1 @" + a, "ADDED ns/b=1 @" + b);
        long c = create("ns/c", "1").resourceVersion();
        assertThat(c).isGreaterThan(gone);
        assertThat(watch.take(1)).containsExactly("ADDED ns/c=1 @" + c);
    }

    @Test
    default void aWatchAtAnyRevisionBeginsWithWhatWasThereBefore() {
        long a = create("ns/a", "1").resourceVersion();
        list(StorageContext.atLeast(a));
        WatchReader watch = watch(prefix(), StorageContext.after(0));
        long b = create("ns/b", "1").resourceVersion();
        assertThat(watch.take(2)).containsExactly("ADDED ns/a=1 @" + a, "ADDED ns/b=1 @" + b);
    }

    @Test
    default void aStreamingListEndsWithABookmark() {
        long a = create("ns/a", "1").resourceVersion();
        create("other/a", "1");
        create("ns/b", "back", "1");
        long now = storage().currentResourceVersion();
        WatchReader watch = watch(key("ns/"), STREAMING_LIST.withPredicate(StorageContext.tier("front")));
        assertThat(watch.take(1)).containsExactly("ADDED ns/a=1 @" + a);
        WatchEvent end = watch.next();
        assertThat(end.resourceVersion()).isEqualTo(now);
        assertThat(new String(end.json(), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"resourceVersion\":\"" + now
                        + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
        long c = create("ns/c", "1").resourceVersion();
        assertThat(watch.until(c)).extracting(WatchReader::describe).containsExactly("ADDED ns/c=1 @" + c);
    }

    @Test
    default void aStreamingListOfNothingIsABookmark() {
        long now = storage().currentResourceVersion();
        assertThat(watch(prefix(), STREAMING_LIST).take(1)).containsExactly("BOOKMARK @" + now);
    }

    @Test
    default void aStreamingListIsNotOlderThanItsRevision() {
        for (int i = 0; i < 10; i++) {
            long last = create("ns/" + i, "1").resourceVersion();
            WatchReader watch = watch(prefix(), STREAMING_LIST.withResourceVersion(last));
            assertThat(watch.take(i + 1)).allMatch(event -> event.startsWith("ADDED"));
            assertThat(watch.next().resourceVersion()).isGreaterThanOrEqualTo(last);
        }
        Storage impatient = impatientStorage();
        long future = storage().currentResourceVersion() + 100;
        assertThatThrownBy(() -> impatient.watch(prefix(), STREAMING_LIST.withResourceVersion(future)))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
    }

    @Test
    default void withoutInitialEventsAWatchBeginsWithWhatFollows() {
        create("ns/a", "1");
        WatchReader watch = watch(prefix(), ListOptions.LATEST.withSendInitialEvents(false));
        long b = create("ns/b", "1").resourceVersion();
        assertThat(watch.take(1)).containsExactly("ADDED ns/b=1 @" + b);
    }

    @Test
    default void withInitialEventsARevisionIsAMinimum() {
        long a = create("ns/a", "1").resourceVersion();
        long b = create("ns/b", "1").resourceVersion();
        WatchReader watch = watch(prefix(), STREAMING_LIST.withResourceVersion(a));
        List<String> events = new ArrayList<>(watch.take(2));
        assertThat(events.getFirst()).isEqualTo("ADDED ns/a=1 @" + a);
        // The second object is part of the state or comes after it.
        if (events.getLast().startsWith("BOOKMARK")) {
            events.addAll(watch.take(1));
        }
        assertThat(events).contains("ADDED ns/b=1 @" + b);
    }

    @Test
    default void aWatchOfOneObjectBeginsWithThatObject() {
        long a = create("ns/a", "1").resourceVersion();
        create("ns/a2", "1");
        WatchReader watch = watch(key("ns/a"), ListOptions.LATEST);
        assertThat(watch.take(1)).containsExactly("ADDED ns/a=1 @" + a);
        set("ns/a2", "2");
        long gone = delete("ns/a").resourceVersion();
        assertThat(watch.take(1)).containsExactly("DELETED ns/a=1 @" + gone);
    }

    @Test
    default void thePresentStateAndWhatFollowsJoinUnderConcurrentWrites() throws Exception {
        Concurrently.run(6, thread -> {
            for (int i = 0; i < 15; i++) {
                if (thread < 3) {
                    create("ns/" + thread + "-" + i, "1");
                    if (i % 3 == 2) {
                        delete("ns/" + thread + "-" + (i - 1));
                    }
                } else {
                    long before = create("watched/" + thread + "-" + i, "1").resourceVersion();
                    checkOneStream(before);
                }
            }
            return thread;
        });
    }

    /** A watch that begins now must show the object of a revision as added exactly once. */
    private void checkOneStream(long revision) {
        try (var watch = new WatchReader(storage().watch(prefix(), ListOptions.LATEST))) {
            int seen = 0;
            long last = create("mark/" + revision, "1").resourceVersion();
            WatchEvent event;
            do {
                event = watch.next();
                seen += event.resourceVersion() == revision ? 1 : 0;
            } while (event.resourceVersion() < last);
            assertThat(seen).isEqualTo(1);
        }
    }
}
