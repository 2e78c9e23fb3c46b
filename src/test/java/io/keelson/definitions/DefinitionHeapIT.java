package io.keelson.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.api.Yaml;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.testing.ApiClient;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import io.keelson.testing.LiveHeap;
import io.keelson.testing.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the largest definitions cost in memory when they are idle. */
class DefinitionHeapIT {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** From how many bytes of YAML on a definition is a large one. */
    private static final int LARGE = 400_000;

    private static final int COPIES = 2;
    private static final int LOOKS = 5;
    private static final int MAX_BYTES_EACH = 300_000;

    /** More compiled schemas than there are for other reasons than a definition's being used. */
    private static final long FEW_SCHEMAS = 100;

    @TempDir
    private Path folder;

    @BeforeEach
    void needsJvm() {
        assumeThat(LiveHeap.isSeen()).isTrue();
    }

    @Test
    void is_bounded_on_the_embedded_store() {
        check(ServerProcess.embedded(folder));
    }

    @Test
    void is_bounded_on_etcd() {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5)) {
            check(ServerProcess.etcd(folder, etcd.endpoint()));
        }
    }

    private static void check(ServerProcess.Builder builder) {
        List<PublishedDefinition> large = Arrays.stream(PublishedDefinition.values())
                .filter(definition -> definition.yaml().length > LARGE)
                .toList();
        assertThat(large).hasSizeGreaterThanOrEqualTo(5);
        try (var server = builder.set("KEELSON_CUSTOM_RESOURCES_SCHEMA_IDLE", "1s")
                        .jvmArgument("-XX:+UseSerialGC")
                        .start();
                var api = new ApiClient(server.url())) {
            var copies = new ArrayList<Copy>();
            // What the first of them brings with it, such as classes, is not the others' share.
            large.forEach(definition -> copies.add(Copy.install(api, definition, 0)));
            copies.forEach(copy -> copy.use(api));
            long before = idleBytes(server);
            int count = copies.size();
            for (int i = 1; i <= COPIES; i++) {
                for (PublishedDefinition definition : large) {
                    Copy copy = Copy.install(api, definition, i);
                    copy.use(api);
                    copies.add(copy);
                }
            }
            long bound = before + (long) (copies.size() - count) * MAX_BYTES_EACH;
            awaitAtMost(bound, server);

            server.restart();
            copies.forEach(copy -> copy.awaitServed(api));
            awaitAtMost(bound, server);

            copies.forEach(copy -> copy.use(api));
            awaitAtMost(bound, server);
        }
    }

    /** The live heap once no definition is in use and requests have left nothing behind. */
    private static long idleBytes(ServerProcess server) {
        Awaitility.await("idle definitions")
                .atMost(PATIENCE)
                .until(
                        () -> LiveHeap.of(server).instances().getOrDefault(StructuralSchema.class.getName(), 0L),
                        schemas -> schemas < FEW_SCHEMAS);
        return IntStream.range(0, LOOKS)
                .mapToLong(i -> LiveHeap.of(server).bytes())
                .min()
                .orElseThrow();
    }

    private static void awaitAtMost(long bytes, ServerProcess server) {
        Awaitility.await("bytes of the live heap")
                .atMost(PATIENCE)
                .until(() -> LiveHeap.of(server).bytes(), live -> live <= bytes);
    }

    /** A definition in a group of its own. */
    private record Copy(PublishedDefinition of, ObjectNode definition) {
        static Copy install(ApiClient api, PublishedDefinition published, int number) {
            var definition = (ObjectNode) Yaml.parse(published.yaml());
            var spec = (ObjectNode) definition.path("spec");
            String group = "copy" + number + "." + spec.path("group").asText();
            spec.put("group", group);
            String name = spec.at("/names/plural").asText() + "." + group;
            ((ObjectNode) definition.path("metadata")).put("name", name);
            api.send("POST", DEFINITIONS, Json.write(definition), "Content-Type", "application/json")
                    .succeeded();
            var copy = new Copy(published, definition);
            copy.awaitServed(api);
            return copy;
        }

        void awaitServed(ApiClient api) {
            for (String path : paths()) {
                Awaitility.await(path)
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> api.get(path).code() == 200);
            }
        }

        /** Has an object judged by all of its rules, and asks for what describes it. */
        void use(ApiClient api) {
            String object = of == PublishedDefinition.PLATFORMS ? "{\"components\":[{\"name\":\"web\"}]}" : "{}";
            for (String path : paths()) {
                String groupVersion = path.substring(0, path.lastIndexOf('/'));
                api.post(
                        path.replace(groupVersion, groupVersion + "/namespaces/default") + "?dryRun=All",
                        "{\"apiVersion\":\"" + groupVersion.substring("/apis/".length()) + "\",\"kind\":\""
                                + definition.at("/spec/names/kind").asText()
                                + "\",\"metadata\":{\"name\":\"one\"},\"spec\":" + object + "}");
                api.get(path).succeeded();
                api.get(groupVersion).succeeded();
                api.get("/openapi/v3" + groupVersion).succeeded();
            }
        }

        private List<String> paths() {
            var paths = new ArrayList<String>();
            JsonNode spec = definition.path("spec");
            for (JsonNode version : spec.path("versions")) {
                if (version.path("served").asBoolean()) {
                    paths.add("/apis/" + spec.path("group").asText() + "/"
                            + version.path("name").asText() + "/"
                            + spec.at("/names/plural").asText());
                }
            }
            return paths;
        }
    }
}
