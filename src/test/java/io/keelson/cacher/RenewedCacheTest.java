package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ObjectDecoder;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageContext;
import io.keelson.storage.WatchReader;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.kv.KvStorage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cache over a storage that shows its objects in another form from some moment on. */
class RenewedCacheTest {
    private static final String PREFIX = TestingListerWatcher.PREFIX;

    private final EmbeddedKvStore kv =
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system()));
    private final KvStorage storage =
            new KvStorage(kv, new ObjectDecoder(StorageContext.FIELDS), PREFIX, InstantSource.system());
    private final Cacher cacher =
            new Cacher(PREFIX, storage, CacherOptions.DEFAULT.withConsistencyCheckInterval(Duration.ZERO));

    @AfterEach
    void close() {
        cacher.close();
        kv.close();
    }

    private void put(String path) {
        var _ = storage.create(PREFIX + path, StorageContext.thing(path, "front", "old"), 0);
    }

    private static byte[] revised(byte[] stored) {
        return new String(stored, StandardCharsets.UTF_8).replace("old", "new").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void objects_change_their_form_and_watches_go_on() {
        put("ns/a");
        cacher.start();
        Awaitility.await().pollDelay(Duration.ZERO).until(cacher::ready);
        var before = cacher.cache().state();
        try (var watch = new WatchReader(cacher.watch(PREFIX, StorageContext.after(before.revision())))) {
            storage.decodeBy(new ObjectDecoder(StorageContext.FIELDS, RenewedCacheTest::revised));
            cacher.renew();

            var after = cacher.cache().state();
            assertThat(after.revision()).isEqualTo(before.revision());
            assertThat(after.objects().get(PREFIX + "ns/a").toString())
                    .contains("new")
                    .doesNotContain("old");
            assertThat(watch.poll()).isNull();
            put("ns/b");
            assertThat(watch.next().object().toString()).contains("new");
        }
        try (var state = new WatchReader(cacher.watch(PREFIX, ListOptions.LATEST))) {
            assertThat(state.next().object().toString()).contains("new");
        }
    }
}
