package io.keelson.kubernetes;

import static io.keelson.kubernetes.Manifests.at;
import static io.keelson.kubernetes.Manifests.probes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The paths of the probes exist in the server. */
@QuarkusTest
@TestProfile(ProbesTest.InMemory.class)
class ProbesTest {
    @Test
    void every_probe_asks_a_path_that_answers() {
        List<String> paths = probes(Manifests.build("base").server())
                .map(probe -> (String) at(probe, "httpGet", "path"))
                .toList();

        assertThat(paths).containsExactly("/livez", "/livez", "/readyz");
        for (String path : paths) {
            await(path)
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> RestAssured.get(path).statusCode() == 200);
        }
        assertThat(RestAssured.get("/startupz").statusCode()).isEqualTo(404);
    }

    /** A server on the embedded store that leaves nothing behind. */
    public static final class InMemory implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("keelson.storage.path", "memory", "quarkus.http.test-port", "0");
        }
    }
}
