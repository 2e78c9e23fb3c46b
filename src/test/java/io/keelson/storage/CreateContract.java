package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of create. */
public interface CreateContract extends StorageContext {
    int CREATORS = 8;
    long TTL_SECONDS = 1;

    @Test
    default void aCreatedObjectCarriesItsRevision() {
        ApiObject created = create("ns/a", "1");
        assertThat(created.resourceVersion()).isEqualTo(storage().currentResourceVersion());
        assertThat(Json.parseTrusted(created.json())
                        .at("/metadata/resourceVersion")
                        .asText())
                .isEqualTo(Long.toString(created.resourceVersion()));
        assertThat(created.meta().name()).isEqualTo("a");
        assertThat(storage().get(key("ns/a"), null).json()).isEqualTo(created.json());
        assertThat(create("ns/b", "1").resourceVersion()).isEqualTo(created.resourceVersion() + 1);
    }

    @Test
    default void anObjectWithAResourceVersionIsNotCreated() {
        ObjectNode object = StorageContext.thing("ns/a", "front", "1");
        object.withObjectProperty("metadata").put("resourceVersion", "7");
        assertThatThrownBy(() -> storage().create(key("ns/a"), object, 0))
                .isInstanceOf(StorageException.BadRequest.class);
        assertThatThrownBy(() -> storage().get(key("ns/a"), null)).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void aTakenKeyIsRefused() {
        ApiObject first = create("ns/a", "1");
        assertThatThrownBy(() -> create("ns/a", "2")).isInstanceOf(StorageException.KeyExists.class);
        assertThat(storage().get(key("ns/a"), null).json()).isEqualTo(first.json());
        delete("ns/a");
        assertThat(create("ns/a", "3").resourceVersion()).isGreaterThan(first.resourceVersion());
    }

    @Test
    default void oneOfManyCreatorsWins() throws Exception {
        List<String> outcomes = Concurrently.run(CREATORS, creator -> {
            try {
                return StorageContext.value(create("ns/a", "by " + creator));
            } catch (StorageException.KeyExists e) {
                return "exists";
            }
        });
        assertThat(outcomes).filteredOn("exists"::equals).hasSize(CREATORS - 1);
        assertThat(outcomes).contains(StorageContext.value(storage().get(key("ns/a"), null)));
    }

    @Test
    default void aKeyOutsideTheResourceIsRefused() {
        for (String bad : List.of("/registry/other/a", key("../secrets/a"), key("ns/./a"), key("ns//a"))) {
            assertThatThrownBy(() -> storage().create(bad, StorageContext.thing("ns/a", "front", "1"), 0))
                    .as(bad)
                    .isInstanceOf(StorageException.BadRequest.class);
            assertThatThrownBy(() -> storage().get(bad, null)).as(bad).isInstanceOf(StorageException.BadRequest.class);
        }
    }

    @Test
    default void anObjectWithATimeToLiveGoesByItself() {
        ApiObject stays = create("ns/stays", "1");
        WatchReader watch = watch(prefix(), StorageContext.after(stays.resourceVersion()));
        storage().create(key("ns/a"), StorageContext.thing("ns/a", "front", "1"), TTL_SECONDS);
        storage().create(key("ns/b"), StorageContext.thing("ns/b", "front", "1"), TTL_SECONDS);
        assertThat(watch.next().type()).isEqualTo(WatchEventType.ADDED);
        long last = watch.next().resourceVersion();
        passTime(Duration.ofSeconds(TTL_SECONDS + 1));
        for (WatchEvent event : List.of(watch.next(), watch.next())) {
            assertThat(event.type()).isEqualTo(WatchEventType.DELETED);
            assertThat(event.resourceVersion()).isGreaterThan(last);
            assertThat(StorageContext.value(event.object())).isEqualTo("1");
        }
        assertThat(StorageContext.paths(list(ListOptions.LATEST))).containsExactly("ns/stays");
    }
}
