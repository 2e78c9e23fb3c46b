package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ObjectDecoder;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import io.keelson.storage.WatchReader;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.kv.KvStorage;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CacheDelegatorTest {
    private static final String PREFIX = "/registry/things/";
    private static final String A = PREFIX + "ns/a";

    private final EmbeddedKvStore store =
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system()));
    private final KvStorage underlying =
            new KvStorage(store, new ObjectDecoder(StorageContext.FIELDS), PREFIX, InstantSource.system());
    private final Cacher cacher = new Cacher(PREFIX, underlying, CacherOptions.DEFAULT);
    private final CacheDelegator storage = new CacheDelegator(underlying, cacher, () -> true);

    @AfterEach
    void close() {
        storage.close();
        store.close();
    }

    private void start() {
        cacher.start();
        Awaitility.await().until(cacher::ready);
    }

    @Test
    void beforeItIsReadyOnlyCheapReadsReachStorage() {
        storage.create(A, StorageContext.thing("ns/a", "front", "1"), 0);
        assertThat(StorageContext.value(storage.get(A, null))).isEqualTo("1");
        assertThat(storage.getList(A, ListOptions.LATEST).items()).hasSize(1);
        assertThat(storage.getList(PREFIX, ListOptions.LATEST.withPage(10, "")).items())
                .hasSize(1);
        assertThat(storage.count(PREFIX)).isEqualTo(1);
        assertThatThrownBy(() -> storage.getList(PREFIX, ListOptions.LATEST))
                .isInstanceOf(StorageException.NotReady.class);
        assertThatThrownBy(() -> storage.getList(
                        PREFIX, ListOptions.LATEST.withPage(10, "").withPredicate(StorageContext.tier("front"))))
                .isInstanceOf(StorageException.NotReady.class);
        assertThatThrownBy(() -> storage.watch(PREFIX, ListOptions.LATEST))
                .isInstanceOfSatisfying(
                        StorageException.NotReady.class,
                        e -> assertThat(e.retryAfterSeconds()).isPositive());
    }

    @Test
    void withoutProgressTheMostRecentStateComesFromStorage() {
        var blind = new CacheDelegator(underlying, cacher, () -> false);
        long a = blind.create(A, StorageContext.thing("ns/a", "front", "1"), 0).resourceVersion();
        start();
        // The cache of this resource hears nothing of a write to another.
        long elsewhere = store.put("/registry/others/x", new byte[] {'1'}, 0, 0).revision();
        assertThat(blind.getList(PREFIX, ListOptions.LATEST).resourceVersion()).isEqualTo(elsewhere);
        assertThat(blind.getList(PREFIX, StorageContext.atLeast(elsewhere)).resourceVersion())
                .isEqualTo(elsewhere);
        assertThat(blind.get(A, elsewhere).resourceVersion()).isEqualTo(a);
        assertThat(blind.get(A, null).resourceVersion()).isEqualTo(a);
        ListOptions streaming = ListOptions.LATEST.withSendInitialEvents(true).withAllowBookmarks(true);
        for (ListOptions options : new ListOptions[] {streaming, streaming.withResourceVersion(elsewhere)}) {
            try (var watch = new WatchReader(blind.watch(PREFIX, options))) {
                assertThat(watch.take(2)).containsExactly("ADDED ns/a=1 @" + a, "BOOKMARK @" + elsewhere);
            }
        }
    }

    @Test
    void aGetThatFindsTheCacheBehindLetsThoseAfterItFindItCurrent() {
        long created =
                storage.create(A, StorageContext.thing("ns/a", "front", "1"), 0).resourceVersion();
        start();
        long elsewhere = store.put("/registry/others/x", new byte[] {'1'}, 0, 0).revision();

        assertThat(storage.get(A, null).resourceVersion()).isEqualTo(created);

        Awaitility.await().until(() -> cacher.cache().state().revision() >= elsewhere);
    }

    @Test
    void aValueThatIsNoObjectIsToldAndTheCacheGoesOnWhenItIsGone() {
        start();
        long bad =
                store.put(A, "no object".getBytes(StandardCharsets.UTF_8), 0, 0).revision();
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(cacher.status().failure()).contains(A).contains("no object"));
        assertThatThrownBy(() -> storage.get(A, null)).isInstanceOf(StorageException.Internal.class);
        store.delete(A, bad);
        Awaitility.await().until(() -> cacher.status().failure().isEmpty());
        storage.create(A, StorageContext.thing("ns/a", "front", "1"), 0);
        assertThat(storage.getList(PREFIX, ListOptions.LATEST).items()).hasSize(1);
    }

    @Test
    void writesTakeTheCachedObjectAlongAsASuggestion() {
        var created = storage.create(A, StorageContext.thing("ns/a", "front", "1"), 0);
        start();
        storage.getList(PREFIX, ListOptions.LATEST);
        Storage.TryUpdate sameInstance = existing -> {
            assertThat(existing).isSameAs(cacher.cached(A));
            return StorageContext.with(existing, "2");
        };
        var updated = storage.guaranteedUpdate(A, false, Preconditions.NONE, sameInstance, null);
        assertThat(updated.resourceVersion()).isGreaterThan(created.resourceVersion());
    }
}
