package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of guaranteedUpdate. */
public interface UpdateContract extends StorageContext {
    int WRITERS = 16;
    int INCREMENTS_EACH = 10;

    private ApiObject update(String path, Preconditions preconditions, Storage.TryUpdate change, ApiObject suggestion) {
        return storage().guaranteedUpdate(key(path), false, preconditions, change, suggestion);
    }

    @Test
    default void anUpdateWritesAndReturnsTheNewState() {
        ApiObject created = create("ns/a", "1");
        ApiObject updated = set("ns/a", "2");
        assertThat(updated.resourceVersion()).isGreaterThan(created.resourceVersion());
        assertThat(StorageContext.value(updated)).isEqualTo("2");
        assertThat(storage().get(key("ns/a"), null).json()).isEqualTo(updated.json());
    }

    @Test
    default void anUpdateOfNothingFailsOrCreates() {
        assertThatThrownBy(() -> set("ns/a", "1")).isInstanceOf(StorageException.KeyNotFound.class);
        Storage.TryUpdate make = existing -> {
            assertThat(existing).isNull();
            return Storage.Updated.of(StorageContext.thing("ns/a", "front", "made"));
        };
        ApiObject made = storage().guaranteedUpdate(key("ns/a"), true, Preconditions.NONE, make, null);
        assertThat(StorageContext.value(made)).isEqualTo("made");
        assertThat(storage().get(key("ns/a"), null).json()).isEqualTo(made.json());
        ApiObject again = storage()
                .guaranteedUpdate(
                        key("ns/a"), true, Preconditions.NONE, existing -> StorageContext.with(existing, "2"), null);
        assertThat(StorageContext.value(again)).isEqualTo("2");
    }

    @Test
    default void aPreconditionOnAnAbsentObjectDoesNotHold() {
        assertThatThrownBy(() -> storage()
                        .guaranteedUpdate(
                                key("ns/a"),
                                true,
                                Preconditions.uid("gone"),
                                existing -> Storage.Updated.of(StorageContext.thing("ns/a", "front", "1")),
                                null))
                .isInstanceOf(StorageException.InvalidObject.class);
        assertThatThrownBy(() -> storage().get(key("ns/a"), null)).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void anUpdateThatChangesNothingWritesNothing() {
        ApiObject created = create("ns/a", "1");
        ApiObject same = set("ns/a", "1");
        assertThat(same.resourceVersion()).isEqualTo(created.resourceVersion());
        ApiObject reordered = update("ns/a", Preconditions.NONE, existing -> reversed(existing), null);
        assertThat(reordered.resourceVersion()).isEqualTo(created.resourceVersion());
        assertThat(storage().currentResourceVersion()).isEqualTo(created.resourceVersion());
        assertThat(set("ns/a", "2").resourceVersion()).isGreaterThan(created.resourceVersion());
    }

    /** The same object with its fields in the opposite order, and with a number of another Java type. */
    private static Storage.Updated reversed(ApiObject existing) {
        ObjectNode tree = Json.parseTrusted(existing.json());
        ObjectNode reversed = Json.object();
        List<String> fields = new ArrayList<>();
        tree.fieldNames().forEachRemaining(fields::add);
        fields.reversed().forEach(field -> reversed.set(field, tree.get(field)));
        ObjectNode metadata = reversed.withObjectProperty("metadata");
        metadata.set("name", metadata.remove("name"));
        return Storage.Updated.of(reversed);
    }

    @Test
    default void equalNumbersOfOtherJavaTypesChangeNothing() {
        ObjectNode object = StorageContext.thing("ns/a", "front", "1");
        object.withObjectProperty("spec").put("replicas", 3L).put("other", 4);
        ApiObject created = storage().create(key("ns/a"), object, 0);
        ApiObject same = update(
                "ns/a",
                Preconditions.NONE,
                existing -> {
                    ObjectNode tree = Json.parseTrusted(existing.json());
                    ObjectNode spec = tree.withObjectProperty("spec");
                    spec.remove("replicas");
                    spec.put("replicas", 3L);
                    return Storage.Updated.of(tree);
                },
                null);
        assertThat(same.resourceVersion()).isEqualTo(created.resourceVersion());
    }

    @Test
    default void preconditionsAreJudgedOnTheStoredState() {
        ApiObject first = create("ns/a", "1");
        ApiObject second = set("ns/a", "2");
        Storage.TryUpdate change = existing -> StorageContext.with(existing, "3");
        assertThatThrownBy(() -> update("ns/a", Preconditions.uid("other"), change, null))
                .isInstanceOf(StorageException.InvalidObject.class);
        var stale = new Preconditions(null, first.resourceVersion());
        assertThatThrownBy(() -> update("ns/a", stale, change, null))
                .isInstanceOf(StorageException.InvalidObject.class);
        assertThatThrownBy(() -> update("ns/a", stale, change, first))
                .isInstanceOf(StorageException.InvalidObject.class);
        var current = new Preconditions(first.meta().uid(), second.resourceVersion());
        // The suggestion does not hold them, the stored state does.
        assertThat(StorageContext.value(update("ns/a", current, change, first))).isEqualTo("3");
    }

    @Test
    default void aSuggestionThatIsCurrentSavesARead() {
        ApiObject created = create("ns/a", "1");
        List<Long> seen = new ArrayList<>();
        update(
                "ns/a",
                Preconditions.NONE,
                existing -> {
                    seen.add(existing.resourceVersion());
                    return StorageContext.with(existing, "2");
                },
                created);
        assertThat(seen).containsExactly(created.resourceVersion());
    }

    @Test
    default void aStaleSuggestionIsReplacedByTheStoredState() {
        ApiObject old = create("ns/a", "1");
        ApiObject stored = set("ns/a", "2");
        List<String> seen = new ArrayList<>();
        ApiObject updated = update(
                "ns/a",
                Preconditions.NONE,
                existing -> {
                    seen.add(StorageContext.value(existing));
                    return StorageContext.with(existing, StorageContext.value(existing) + "+");
                },
                old);
        assertThat(seen).containsExactly("1", "2");
        assertThat(StorageContext.value(updated)).isEqualTo("2+");
        assertThat(updated.resourceVersion()).isGreaterThan(stored.resourceVersion());
    }

    @Test
    default void anUpdateThatChangesNothingOfAStaleSuggestionIsTriedAgain() {
        ApiObject old = create("ns/a", "1");
        set("ns/a", "2");
        ApiObject updated = update("ns/a", Preconditions.NONE, existing -> StorageContext.with(existing, "1"), old);
        assertThat(StorageContext.value(updated)).isEqualTo("1");
        assertThat(updated.resourceVersion()).isGreaterThan(old.resourceVersion());
        assertThat(StorageContext.value(storage().get(key("ns/a"), null))).isEqualTo("1");
    }

    @Test
    default void aSuggestionOfADeletedObjectIsNotFound() {
        ApiObject old = create("ns/a", "1");
        delete("ns/a");
        assertThatThrownBy(
                        () -> update("ns/a", Preconditions.NONE, existing -> StorageContext.with(existing, "2"), old))
                .isInstanceOf(StorageException.KeyNotFound.class);
        assertThatThrownBy(
                        () -> update("ns/a", Preconditions.NONE, existing -> StorageContext.with(existing, "1"), old))
                .isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void anErrorOnAStaleSuggestionIsTriedAgainAndOneOnTheStoredStateIsNot() {
        ApiObject old = create("ns/a", "1");
        set("ns/a", "2");
        Storage.TryUpdate refusesOne = existing -> {
            if (StorageContext.value(existing).equals("1")) {
                throw new IllegalStateException("1 is refused");
            }
            return StorageContext.with(existing, "3");
        };
        assertThat(StorageContext.value(update("ns/a", Preconditions.NONE, refusesOne, old)))
                .isEqualTo("3");
        ApiObject current = set("ns/a", "1");
        for (ApiObject suggestion : new ApiObject[] {null, current, old}) {
            assertThatThrownBy(() -> update("ns/a", Preconditions.NONE, refusesOne, suggestion))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("1 is refused");
        }
    }

    @Test
    default void concurrentIncrementsLoseNone() throws Exception {
        ApiObject created = create("ns/a", "0");
        List<Long> revisions = Concurrently.run(WRITERS, writer -> {
                    List<Long> own = new ArrayList<>();
                    for (int i = 0; i < INCREMENTS_EACH; i++) {
                        own.add(update("ns/a", Preconditions.NONE, UpdateContract::increment, created)
                                .resourceVersion());
                    }
                    return own;
                })
                .stream()
                .flatMap(List::stream)
                .toList();
        assertThat(revisions).doesNotHaveDuplicates().hasSize(WRITERS * INCREMENTS_EACH);
        assertThat(StorageContext.value(storage().get(key("ns/a"), null)))
                .isEqualTo(Integer.toString(WRITERS * INCREMENTS_EACH));
    }

    private static Storage.Updated increment(ApiObject existing) {
        return StorageContext.with(existing, Integer.toString(Integer.parseInt(StorageContext.value(existing)) + 1));
    }
}
