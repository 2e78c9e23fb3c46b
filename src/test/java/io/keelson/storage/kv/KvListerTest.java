package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.storage.ContinueToken;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists whose history is compacted between the ranges that they read. */
class KvListerTest {
    private static final String PREFIX = "/registry/things/";
    private static final int OBJECTS = 8;

    /** Reads of one key at first, so that a list of few matches reads several ranges. */
    private static final ListOptions SMALL_RANGES =
            ListOptions.LATEST.withPredicate(StorageContext.tier("back")).withPage(1, "");

    private final CompactingStore store = new CompactingStore(
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system())));
    private final KvStorage storage =
            new KvStorage(store, new ObjectDecoder(StorageContext.FIELDS), PREFIX, InstantSource.system());

    @BeforeEach
    void fill() {
        for (int i = 0; i < OBJECTS; i++) {
            String path = "ns/" + i;
            storage.create(PREFIX + path, StorageContext.thing(path, i == OBJECTS - 1 ? "back" : "front", "1"), 0);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aListAtTheLatestRevisionBeginsAnew() {
        long before = store.currentRevision();
        store.compactions = 2;
        ListResult list = storage.getList(PREFIX, SMALL_RANGES);
        assertThat(StorageContext.paths(list)).containsExactly("ns/" + (OBJECTS - 1));
        assertThat(list.resourceVersion()).isEqualTo(before + 2);
        assertThat(store.compactions).isZero();
    }

    @Test
    void aPageThatGoesOnAtTheLatestRevisionBeginsAnewToo() {
        store.compactions = 1;
        String token = new ContinueToken(-1, PREFIX + "ns/2").encode(PREFIX);
        assertThat(StorageContext.paths(storage.getList(PREFIX, SMALL_RANGES.withPage(1, token))))
                .containsExactly("ns/" + (OBJECTS - 1));
    }

    @Test
    void itDoesNotTryForEver() {
        store.compactions = Integer.MAX_VALUE;
        assertThatThrownBy(() -> storage.getList(PREFIX, SMALL_RANGES)).isInstanceOf(StorageException.Expired.class);
    }

    @Test
    void aListAtARevisionOfTheClientsIsExpired() {
        long revision = store.currentRevision();
        store.compactions = 1;
        assertThatThrownBy(() -> storage.getList(
                        PREFIX,
                        StorageContext.exactly(revision)
                                .withPredicate(StorageContext.tier("back"))
                                .withPage(1, "")))
                .isInstanceOf(StorageException.Expired.class);
    }

    /** Forgets all history after each range that it was asked for, some times. */
    private static final class CompactingStore extends ForwardingKvStore {
        int compactions;

        CompactingStore(KvStore store) {
            super(store);
        }

        @Override
        public RangeResult range(String start, String end, long revision, int limit) {
            RangeResult range = super.range(start, end, revision, limit);
            if (compactions > 0) {
                compactions--;
                compact(put("/registry/others/" + range.revision(), Json.write(Json.object()), 0, 0)
                        .revision());
            }
            return range;
        }
    }
}
