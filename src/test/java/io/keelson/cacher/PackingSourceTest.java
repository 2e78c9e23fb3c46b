package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keelson.api.ApiObject;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PackingSourceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FROM_BYTES = 10_000;
    private static final String LONG = "long ".repeat(FROM_BYTES);

    private final TestingListerWatcher source = new TestingListerWatcher(10);
    private final Cacher cacher =
            new Cacher(TestingListerWatcher.PREFIX, new PackingSource(source, FROM_BYTES), CacherOptions.DEFAULT);

    @AfterEach
    void close() {
        cacher.close();
    }

    private ApiObject cached(String path) {
        return await().atMost(PATIENCE)
                .until(() -> cacher.cached(TestingListerWatcher.key(path)), object -> object != null);
    }

    @Test
    void the_cache_holds_large_objects_packed_and_watches_show_them_whole() {
        source.put("ns/listed", LONG);
        source.put("ns/small", "short");
        cacher.start();
        await().atMost(PATIENCE).until(cacher::ready);
        try (Watch watch = cacher.watch(
                TestingListerWatcher.PREFIX,
                ListOptions.LATEST.withResourceVersion(cacher.cache().state().revision()))) {
            source.put("ns/watched", LONG);

            assertThat(cached("ns/listed").isPacked()).isTrue();
            assertThat(cached("ns/watched").isPacked()).isTrue();
            assertThat(cached("ns/small").isPacked()).isFalse();
            var event =
                    await().atMost(PATIENCE).until(watch::poll, polled -> polled != null && polled.object() != null);
            assertThat(new String(event.json(), StandardCharsets.UTF_8)).contains(LONG);
        }
    }
}
