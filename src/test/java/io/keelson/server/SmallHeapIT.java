package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.keelson.testing.ApiClient;
import io.keelson.testing.LiveHeap;
import io.keelson.testing.ServerProcess;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose heap holds a part of what is written to it in the time that a window would like to span. */
class SmallHeapIT {
    private static final int HEAP_MIB = 96;
    private static final int OBJECT_BYTES = 200_000;
    private static final int UPDATES = 1000;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Pattern HELD =
            Pattern.compile("^keelson_watch_cache_history_bytes ([0-9.E]+)$", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void lives_through_more_updates_of_large_objects_than_it_has_memory_for() {
        assumeThat(LiveHeap.isSeen()).isTrue();
        try (ServerProcess server = ServerProcess.embedded(folder)
                        .jvmArgument("-Xmx" + HEAP_MIB + "m")
                        .start();
                var api = new ApiClient(server.url())) {
            api.post(MAPS, ApiClient.configMap("large", "x".repeat(OBJECT_BYTES)))
                    .succeeded();
            for (int i = 0; i < UPDATES; i++) {
                api.patch(MAPS + "/large", "{\"data\":{\"update\":\"" + i + "\"}}")
                        .succeeded();
            }

            assertThat(api.get(MAPS + "/large").succeeded().at("/data/update"))
                    .isEqualTo(Integer.toString(UPDATES - 1));
            assertThat(api.get("/readyz").succeeded().text()).isEqualTo("ok");
            Matcher held = HELD.matcher(api.get("/metrics").succeeded().text());
            assertThat(held.find()).isTrue();
            assertThat(Double.parseDouble(held.group(1)))
                    .isBetween(1.0 * OBJECT_BYTES, 0.25 * HEAP_MIB * 1024 * 1024 + 100.0 * OBJECT_BYTES);
            assertThat(server.output()).doesNotContain("OutOfMemoryError");
        }
    }
}
