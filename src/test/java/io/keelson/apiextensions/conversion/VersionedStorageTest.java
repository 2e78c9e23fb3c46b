package io.keelson.apiextensions.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.Json;
import io.keelson.api.LabelSelector;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.api.Status;
import io.keelson.api.WatchEvent;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.WatchReader;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.kv.KvStorage;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two versions whose objects a converter makes of each other: {@code host} of v1 is {@code hostname} in v2, where all are stored. */
class VersionedStorageTest {
    private static final String V1 = "example.com/v1";
    private static final String V2 = "example.com/v2";
    private static final String PREFIX = "/registry/example.com/sites/";
    private static final SelectableFields FIELDS = SelectableFields.of(List.of("spec.host", "spec.hostname"));
    private static final String BROKEN = "broken";
    private static final String TOO_DEEP = "too-deep";

    private final EmbeddedKvStore kv =
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system()));
    private final KvStorage shared = new KvStorage(kv, new ObjectDecoder(FIELDS), PREFIX, InstantSource.system());
    /** The version that the converter cannot make at present. */
    private volatile String refused = "";

    private final List<Integer> calls = new CopyOnWriteArrayList<>();
    private final ConvertedObjects remembered = new ConvertedObjects();
    private final VersionedStorage first = new VersionedStorage(shared, view(V1), FIELDS);
    private final VersionedStorage second = new VersionedStorage(shared, view(V2), FIELDS);

    @AfterEach
    void close() {
        kv.close();
    }

    private ConvertedVersion view(String apiVersion) {
        return new ConvertedVersion(
                apiVersion, V2, false, this::convert, new ObjectDecoder(FIELDS), tree -> {}, tree -> {}, remembered);
    }

    private List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
        calls.add(objects.size());
        return objects.stream()
                .map(object -> convert(object.deepCopy(), apiVersion))
                .toList();
    }

    private ObjectNode convert(ObjectNode object, String apiVersion) {
        if (apiVersion.equals(refused)) {
            throw new ApiException(new Status(500, null, "down", null));
        }
        if (object.at("/spec/hostname").asText().equals(BROKEN)) {
            throw new ApiException(new Status(500, null, "cannot", null));
        }
        if (object.at("/spec/hostname").asText().equals(TOO_DEEP)) {
            throw new StackOverflowError();
        }
        ObjectNode spec = (ObjectNode) object.path("spec");
        boolean toFirst = apiVersion.equals(V1);
        spec.set(toFirst ? "host" : "hostname", spec.remove(toFirst ? "hostname" : "host"));
        return object.put("apiVersion", apiVersion);
    }

    private static ObjectNode site(String apiVersion, String name, String host) {
        return Json.parseTrusted(("{'apiVersion':'" + apiVersion + "','kind':'Site','metadata':{'name':'" + name
                        + "','uid':'u-" + name + "'},'spec':{'" + (apiVersion.equals(V1) ? "host" : "hostname") + "':'"
                        + host + "'}}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
    }

    private ApiObject store(String name, String host) {
        return second.create(PREFIX + name, site(V2, name, host), 0);
    }

    private void change(Storage version, String name, String field, String host) {
        var _ = version.guaranteedUpdate(
                PREFIX + name,
                false,
                Preconditions.NONE,
                existing -> {
                    ObjectNode tree = Json.parseTrusted(existing.json());
                    ((ObjectNode) tree.path("spec")).put(field, host);
                    return Storage.Updated.of(tree);
                },
                null);
    }

    private static String host(ApiObject object) {
        ObjectNode tree = Json.parseTrusted(object.json());
        return tree.path("apiVersion").asText()
                + tree.path("spec")
                + object.meta().name();
    }

    private static SelectionPredicate where(String field, String value) {
        return new SelectionPredicate(
                LabelSelector.EVERYTHING,
                FieldSelector.of(List.of(new FieldSelector.Requirement(field, true, value))),
                FIELDS);
    }

    @Test
    void a_list_is_converted_at_once_and_each_state_only_once() {
        store("a", "x");
        store("b", "y");
        assertThat(calls).isEmpty();
        assertThat(first.getList(PREFIX, ListOptions.LATEST).items())
                .extracting(VersionedStorageTest::host)
                .containsExactly(V1 + "{\"host\":\"x\"}a", V1 + "{\"host\":\"y\"}b");
        assertThat(calls).containsExactly(2);
        assertThat(host(first.get(PREFIX + "b", null))).isEqualTo(V1 + "{\"host\":\"y\"}b");
        store("c", "z");
        assertThat(first.getList(PREFIX, ListOptions.LATEST).items()).hasSize(3);
        assertThat(calls).containsExactly(2, 1);
        assertThat(second.getList(PREFIX, ListOptions.LATEST).items()).hasSize(3);
        assertThat(calls).hasSize(2);
    }

    @Test
    void a_conversion_that_breaks_down_leaves_nobody_waiting() {
        store("a", TOO_DEEP);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> first.get(PREFIX + "a", null))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("StackOverflowError");
        }
    }

    @Test
    void what_is_written_in_one_version_is_stored_in_the_other() {
        ApiObject created = first.create(PREFIX + "a", site(V1, "a", "x"), 0);
        assertThat(host(created)).isEqualTo(V1 + "{\"host\":\"x\"}a");
        change(first, "a", "host", "z");
        assertThat(host(shared.get(PREFIX + "a", null))).isEqualTo(V2 + "{\"hostname\":\"z\"}a");
        ApiObject before = first.get(PREFIX + "a", null);
        change(first, "a", "host", "z");
        assertThat(first.get(PREFIX + "a", null).resourceVersion()).isEqualTo(before.resourceVersion());
    }

    @Test
    void an_object_of_an_older_version_is_stored_anew_when_it_is_written() {
        shared.create(PREFIX + "a", site(V1, "a", "x"), 0);
        assertThat(host(second.get(PREFIX + "a", null))).isEqualTo(V2 + "{\"hostname\":\"x\"}a");
        change(second, "a", "hostname", "x");
        assertThat(host(shared.get(PREFIX + "a", null))).isEqualTo(V2 + "{\"hostname\":\"x\"}a");
        ApiObject deleted = first.delete(PREFIX + "a", Preconditions.NONE, Storage.ValidateDeletion.NONE, null);
        assertThat(host(deleted)).isEqualTo(V1 + "{\"host\":\"x\"}a");
        assertThatThrownBy(() -> first.get(PREFIX + "a", null)).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    void lists_select_by_the_fields_of_their_version() {
        store("a", "x");
        store("b", "y");
        assertThat(first.getList(PREFIX, ListOptions.LATEST.withPredicate(where("spec.host", "y")))
                        .items())
                .extracting(VersionedStorageTest::host)
                .containsExactly(V1 + "{\"host\":\"y\"}b");
    }

    @Test
    void a_watch_converts_what_comes_in_order() {
        try (var watch = new WatchReader(first.watch(PREFIX, ListOptions.LATEST))) {
            for (int i = 0; i < 5; i++) {
                store("s" + i, "x" + i);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(host(watch.next().object())).isEqualTo(V1 + "{\"host\":\"x" + i + "\"}s" + i);
            }
        }
        assertThat(calls.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5);
    }

    @Test
    void watches_share_what_was_converted() {
        try (var one = new WatchReader(first.watch(PREFIX, ListOptions.LATEST));
                var other = new WatchReader(first.watch(PREFIX, ListOptions.LATEST))) {
            store("a", "x");
            assertThat(host(one.next().object())).isEqualTo(host(other.next().object()));
        }
        assertThat(calls).containsExactly(1);
    }

    @Test
    void a_watch_selects_by_the_fields_of_its_version() {
        store("a", "x");
        long revision = store("b", "y").resourceVersion();
        ListOptions options = ListOptions.LATEST.withResourceVersion(revision).withPredicate(where("spec.host", "x"));
        try (var watch = new WatchReader(first.watch(PREFIX, options))) {
            change(second, "b", "hostname", "x");
            change(second, "a", "hostname", "z");
            change(second, "b", "hostname", "x2");
            change(second, "a", "hostname", "x");
            assertThat(text(watch.next())).isEqualTo("ADDED " + V1 + "{\"host\":\"x\"}b");
            assertThat(text(watch.next())).isEqualTo("DELETED " + V1 + "{\"host\":\"x\"}a");
            assertThat(text(watch.next())).isEqualTo("DELETED " + V1 + "{\"host\":\"x\"}b");
            assertThat(text(watch.next())).isEqualTo("ADDED " + V1 + "{\"host\":\"x\"}a");
        }
    }

    @Test
    void a_write_that_could_not_be_answered_does_not_happen() {
        long revision = store("a", "x").resourceVersion();
        refused = V1;
        for (ThrowingCallable write : List.<ThrowingCallable>of(
                () -> first.create(PREFIX + "b", site(V1, "b", "x"), 0),
                () -> change(first, "a", "host", "y"),
                () -> first.delete(PREFIX + "a", Preconditions.NONE, Storage.ValidateDeletion.NONE, null))) {
            assertThatThrownBy(write).isInstanceOf(ApiException.class).hasMessage("down");
        }
        assertThat(second.getList(PREFIX, ListOptions.LATEST).items())
                .extracting(ApiObject::resourceVersion)
                .containsExactly(revision);
        var _ = second.delete(PREFIX + "a", Preconditions.NONE, Storage.ValidateDeletion.NONE, null);
        assertThat(second.count(PREFIX)).isZero();
    }

    /** An update reads what is there before the converter fails, so that it fails where its answer would be made. */
    @Test
    void an_update_whose_answer_cannot_be_converted_does_not_happen() {
        long revision = store("a", "x").resourceVersion();
        var _ = first.get(PREFIX + "a", null);
        refused = V1;
        assertThatThrownBy(() -> change(first, "a", "host", "y")).hasMessage("down");
        assertThat(second.get(PREFIX + "a", null).resourceVersion()).isEqualTo(revision);
    }

    @Test
    void what_is_known_needs_no_converter() {
        store("a", "x");
        ApiObject created = first.create(PREFIX + "b", site(V1, "b", "y"), 0);
        var _ = first.get(PREFIX + "a", null);
        calls.clear();
        refused = V1;
        assertThat(first.get(PREFIX + "b", null).json()).isEqualTo(created.json());
        change(first, "b", "host", "y");
        ApiObject deleted = first.delete(PREFIX + "a", Preconditions.NONE, Storage.ValidateDeletion.NONE, null);
        assertThat(host(deleted)).isEqualTo(V1 + "{\"host\":\"x\"}a");
        assertThat(deleted.resourceVersion()).isEqualTo(second.currentResourceVersion());
        assertThat(calls)
                .as("the object that was to be changed, to the stored version")
                .containsExactly(1);
    }

    @Test
    void pages_of_what_is_selected_are_full_and_lose_nothing() {
        for (int i = 0; i < 1200; i++) {
            store("s%04d".formatted(i), i % 100 == 7 ? "wanted" : "other");
        }
        ListOptions page =
                ListOptions.LATEST.withPredicate(where("spec.host", "wanted")).withPage(5, "");
        var names = new ArrayList<String>();
        var sizes = new ArrayList<Integer>();
        ListResult list;
        do {
            list = first.getList(PREFIX, page);
            sizes.add(list.items().size());
            list.items().forEach(object -> names.add(object.meta().name()));
            page = page.withPage(5, list.continueToken());
        } while (!list.continueToken().isEmpty());
        assertThat(sizes).containsExactly(5, 5, 2);
        assertThat(names)
                .isEqualTo(IntStream.range(0, 12)
                        .mapToObj(i -> "s%04d".formatted(i * 100 + 7))
                        .toList());
    }

    @Test
    void a_page_shows_one_state_however_many_parts_it_is_read_in() {
        for (int i = 0; i < 20; i++) {
            store("s%02d".formatted(i), i % 10 == 9 ? "wanted" : "other");
        }
        ListOptions page =
                ListOptions.LATEST.withPredicate(where("spec.host", "wanted")).withPage(1, "");
        ListResult begin = first.getList(PREFIX, page);
        change(second, "s19", "hostname", "other");
        change(second, "s10", "hostname", "wanted");
        ListResult end = first.getList(PREFIX, page.withPage(1, begin.continueToken()));
        assertThat(begin.items()).extracting(object -> object.meta().name()).containsExactly("s09");
        assertThat(end.items()).extracting(object -> object.meta().name()).containsExactly("s19");
        assertThat(end.resourceVersion()).isEqualTo(begin.resourceVersion());
    }

    @Test
    void a_version_that_goes_is_forgotten() {
        store("a", "x");
        var _ = first.get(PREFIX + "a", null);
        assertThat(remembered.bytes()).isPositive();
        first.close();
        assertThat(remembered.bytes()).isZero();
    }

    private static String text(WatchEvent event) {
        return event.type() + " " + host(event.object());
    }

    @Test
    void an_event_that_cannot_be_converted_ends_the_watch() {
        try (var watch = new WatchReader(first.watch(PREFIX, ListOptions.LATEST))) {
            store("a", "x");
            assertThat(host(watch.next().object())).isEqualTo(V1 + "{\"host\":\"x\"}a");
            store("b", BROKEN);
            assertThat(new String(watch.next().json(), StandardCharsets.UTF_8)).contains("\"message\":\"cannot\"");
            assertThat(watch.poll()).isNull();
        }
        assertThatThrownBy(() -> first.getList(PREFIX, ListOptions.LATEST))
                .isInstanceOf(ApiException.class)
                .hasMessage("cannot");
        assertThat(second.getList(PREFIX, ListOptions.LATEST).items()).hasSize(2);
    }

    @Test
    void watches_end_with_their_version() {
        var watch = first.watch(PREFIX, ListOptions.LATEST);
        var staying = second.watch(PREFIX, ListOptions.LATEST);
        first.close();
        assertThat(watch.ended()).isTrue();
        assertThat(first.watch(PREFIX, ListOptions.LATEST).ended()).isTrue();
        assertThat(staying.ended()).isFalse();
        staying.close();
        watch.close();
    }
}
