package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ApiObject;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract of lists that are not cut into pages: what they hold and which revision they show. */
public interface ListContract extends StorageContext {
    @Test
    default void aListIsSortedByKeyAndHoldsItsPrefixOnly() {
        List.of("b/1", "a/2", "ab/1", "a-/1", "a/10", "a/1").forEach(path -> create(path, path));
        ListResult all = list(ListOptions.LATEST);
        assertThat(StorageContext.paths(all)).containsExactly("a-/1", "a/1", "a/10", "a/2", "ab/1", "b/1");
        assertThat(all.resourceVersion()).isEqualTo(storage().currentResourceVersion());
        assertThat(all.continueToken()).isEmpty();
        assertThat(all.remainingItemCount()).isNull();
        ListResult one = storage().getList(key("a/"), ListOptions.LATEST);
        assertThat(StorageContext.paths(one)).containsExactly("a/1", "a/10", "a/2");
        assertThat(storage().getList(key("none/"), ListOptions.LATEST).items()).isEmpty();
    }

    @Test
    default void anEmptyListHasARevisionToWatchFrom() {
        ListResult empty = list(ListOptions.LATEST);
        assertThat(empty.items()).isEmpty();
        assertThat(empty.resourceVersion()).isPositive();
        WatchReader watch = watch(prefix(), StorageContext.after(empty.resourceVersion()));
        long revision = create("ns/a", "1").resourceVersion();
        assertThat(watch.take(1)).containsExactly("ADDED ns/a=1 @" + revision);
    }

    @Test
    default void aListReadsItsClientsWrites() {
        for (int i = 0; i < 30; i++) {
            long revision = create("ns/" + i, "1").resourceVersion();
            ListResult list = list(ListOptions.LATEST);
            assertThat(list.items()).hasSize(i + 1);
            assertThat(list.resourceVersion()).isEqualTo(revision);
        }
    }

    @Test
    default void aListIsNotOlderThanItsRevision() {
        create("ns/a", "0");
        for (int i = 1; i < 30; i++) {
            long revision = set("ns/a", "v" + i).resourceVersion();
            ListResult list = list(StorageContext.atLeast(revision));
            assertThat(list.resourceVersion()).isGreaterThanOrEqualTo(revision);
            assertThat(StorageContext.value(list.items().getFirst())).isEqualTo("v" + i);
        }
    }

    @Test
    default void aListWithoutMatchIsNotOlderThanItsRevision() {
        long first = create("ns/a", "1").resourceVersion();
        long second = create("ns/b", "1").resourceVersion();
        assertThat(list(ListOptions.LATEST.withResourceVersion(second)).items()).hasSize(2);
        assertThat(list(ListOptions.LATEST.withResourceVersion(first)).resourceVersion())
                .isGreaterThanOrEqualTo(first);
    }

    @Test
    default void aListAtAnyRevisionShowsWhatWasThereBefore() {
        long revision = create("ns/a", "1").resourceVersion();
        // A cache whose store tells no progress may answer this from storage and the next from what it has.
        list(StorageContext.atLeast(revision));
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            ListResult any = list(ListOptions.LATEST.withResourceVersion(0L));
            assertThat(StorageContext.paths(any)).containsExactly("ns/a");
            assertThat(any.resourceVersion()).isGreaterThanOrEqualTo(revision);
        });
    }

    @Test
    default void anExactListShowsEachRevisionAsItWas() {
        long a = create("ns/a", "1").resourceVersion();
        long b = create("ns/b", "1").resourceVersion();
        long a2 = set("ns/a", "2").resourceVersion();
        long gone = delete("ns/b").resourceVersion();
        long last = create("ns/c", "1").resourceVersion();
        list(StorageContext.atLeast(last));
        assertThat(exact(a)).containsExactly("ns/a=1");
        assertThat(exact(b)).containsExactly("ns/a=1", "ns/b=1");
        assertThat(exact(a2)).containsExactly("ns/a=2", "ns/b=1");
        assertThat(exact(gone)).containsExactly("ns/a=2");
        assertThat(exact(last)).containsExactly("ns/a=2", "ns/c=1");
        assertThat(exact(a - 1)).isEmpty();
    }

    private List<String> exact(long revision) {
        ListResult list = list(StorageContext.exactly(revision));
        assertThat(list.resourceVersion()).isEqualTo(revision);
        return list.items().stream()
                .map(item -> StorageContext.path(item) + "=" + StorageContext.value(item))
                .toList();
    }

    @Test
    default void anExactListOfACompactedRevisionIsExpired() {
        long a = create("ns/a", "1").resourceVersion();
        // More changes than any window holds at first, so that no cache can answer.
        long last = a;
        for (int i = 0; i < 150; i++) {
            last = set("ns/a", "v" + i).resourceVersion();
        }
        compact(last);
        Storage other = impatientStorage();
        assertThatThrownBy(() -> other.getList(prefix(), StorageContext.exactly(a)))
                .isInstanceOfSatisfying(
                        StorageException.Expired.class,
                        e -> assertThat(e.inconsistentContinue()).isEmpty());
    }

    @Test
    default void aListAtARevisionThatIsYetToComeIsTooLarge() {
        create("ns/a", "1");
        Storage impatient = impatientStorage();
        long future = storage().currentResourceVersion() + 100;
        assertThatThrownBy(() -> impatient.getList(prefix(), StorageContext.atLeast(future)))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
        assertThatThrownBy(() -> impatient.getList(prefix(), StorageContext.exactly(future)))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
        assertThatThrownBy(() -> impatient.getList(key("ns/a"), StorageContext.atLeast(future)))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
    }

    @Test
    default void selectorsChooseByLabelsFieldsAndNames() {
        create("ns/a", "front", "1");
        create("ns/b", "back", "1");
        create("other/a", "back", "2");
        assertThat(select(StorageContext.tier("back"))).containsExactly("ns/b", "other/a");
        assertThat(select(StorageContext.field("spec.value=1"))).containsExactly("ns/a", "ns/b");
        assertThat(select(StorageContext.field("spec.value!=1"))).containsExactly("other/a");
        assertThat(select(StorageContext.field("metadata.name=a"))).containsExactly("ns/a", "other/a");
        assertThat(select(StorageContext.field("metadata.namespace=ns,spec.value=1")))
                .containsExactly("ns/a", "ns/b");
        assertThat(select(StorageContext.tier("none"))).isEmpty();
    }

    private List<String> select(SelectionPredicate predicate) {
        return StorageContext.paths(list(ListOptions.LATEST.withPredicate(predicate)));
    }

    @Test
    default void aListOfOneKeyHoldsThatObjectOrNothing() {
        ApiObject a = create("ns/a", "1");
        create("ns/a2", "1");
        ListResult one = storage().getList(key("ns/a"), ListOptions.LATEST);
        assertThat(StorageContext.paths(one)).containsExactly("ns/a");
        assertThat(one.resourceVersion()).isGreaterThanOrEqualTo(a.resourceVersion());
        assertThat(storage()
                        .getList(key("ns/a"), ListOptions.LATEST.withPredicate(StorageContext.tier("back")))
                        .items())
                .isEmpty();
        ListResult none = storage().getList(key("ns/b"), ListOptions.LATEST);
        assertThat(none.items()).isEmpty();
        assertThat(none.resourceVersion()).isEqualTo(storage().currentResourceVersion());
    }

    @Test
    default void anExactListOfOneKeyShowsItAsItWas() {
        long a = create("ns/a", "1").resourceVersion();
        long a2 = set("ns/a", "2").resourceVersion();
        long gone = delete("ns/a").resourceVersion();
        Map.of(a, "1", a2, "2").forEach((revision, value) -> {
            ListResult list = storage().getList(key("ns/a"), StorageContext.exactly(revision));
            assertThat(list.resourceVersion()).isEqualTo(revision);
            assertThat(list.items()).extracting(StorageContext::value).containsExactly(value);
        });
        assertThat(storage().getList(key("ns/a"), StorageContext.exactly(gone)).items())
                .isEmpty();
    }

    @Test
    default void aListOfOneKeyGoesOnWithAWatchWithoutAGap() throws Exception {
        create("ns/a", "0");
        Concurrently.run(2, thread -> {
            for (int i = 0; i < 60; i++) {
                if (thread == 0) {
                    set("ns/a", "v" + i);
                } else {
                    ListResult list = storage().getList(key("ns/a"), ListOptions.LATEST);
                    try (var watch = new WatchReader(
                            storage().watch(key("ns/a"), StorageContext.after(list.resourceVersion())))) {
                        long after = storage().get(key("ns/a"), null).resourceVersion();
                        ApiObject seen = list.items().getFirst();
                        if (after > list.resourceVersion()) {
                            seen = watch.until(after).getLast().object();
                        }
                        assertThat(seen.resourceVersion()).isGreaterThanOrEqualTo(after);
                    }
                }
            }
            return thread;
        });
    }

    @Test
    default void countTellsHowManyObjectsAreBelowAKey() {
        List.of("a/1", "a/2", "ab/1", "b/1").forEach(path -> create(path, path));
        delete("b/1");
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(storage().count(prefix())).isEqualTo(3);
            assertThat(storage().count(key("a/"))).isEqualTo(2);
            assertThat(storage().count(key("b/"))).isZero();
        });
    }
}
