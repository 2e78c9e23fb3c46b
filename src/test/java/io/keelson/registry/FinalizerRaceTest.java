package io.keelson.registry;

import static io.keelson.registry.TestingRegistry.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.resources.core.ConfigMaps;
import io.keelson.storage.Concurrently;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.etcd.EtcdKvStore;
import io.keelson.storage.etcd.EtcdOptions;
import io.keelson.storage.kv.KvStore;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A finalizer that a write was told is accepted protects its object, whatever deletion raced with that write. */
class FinalizerRaceTest {
    private static final int ROUNDS = 60;

    @Test
    void protects_on_the_embedded_store(@TempDir Path folder) throws Exception {
        for (boolean cached : new boolean[] {false, true}) {
            Path own = folder.resolve("cached-" + cached);
            race(EmbeddedKvStore.open(new EmbeddedOptions(own.toString(), TestingRegistry.CLOCK)), cached);
        }
    }

    @Test
    void protects_on_etcd() throws Exception {
        try (var etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5)) {
            for (boolean cached : new boolean[] {false, true}) {
                race(EtcdKvStore.connect(EtcdOptions.plain(etcd.endpoint())), cached);
            }
        }
    }

    private static void race(KvStore store, boolean cached) throws Exception {
        try (var registry =
                new TestingRegistry(List.of(ConfigMaps.definition()), Admission.ALL, new Random(1), cached, store)) {
            for (int round = 0; round < ROUNDS; round++) {
                String name = "c-" + cached + round;
                registry.create("configmaps", "n", "{'metadata':{'name':'" + name + "'}}");
                List<Boolean> accepted = Concurrently.run(
                        2,
                        thread -> thread == 0
                                ? protect(registry, name)
                                : registry.delete("configmaps", "n", name) != null);
                assertThat(isProtected(registry, name)).isEqualTo(accepted.getFirst());
            }
        }
    }

    /** Returns whether the finalizer was accepted. */
    private static boolean protect(TestingRegistry registry, String name) {
        try {
            registry.update(
                    "configmaps",
                    "n",
                    name,
                    object -> ((ObjectNode) object.get("metadata"))
                            .putArray("finalizers")
                            .add("example.com/hold"));
            return true;
        } catch (ApiException e) {
            assertThat(e.status().code()).isIn(404, 409, 422);
            return false;
        }
    }

    private static boolean isProtected(TestingRegistry registry, String name) {
        try {
            var object = registry.store("configmaps").get(in("n"), name, null);
            return object.meta().finalizers().contains("example.com/hold");
        } catch (ApiException e) {
            return false;
        }
    }
}
