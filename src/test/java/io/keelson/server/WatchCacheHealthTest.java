package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.endpoints.HealthCheck;
import io.keelson.endpoints.HealthCheck.Outcome;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The layers of a whole server, below HTTP, one of whose watch caches is cut off from storage. */
@Timeout(60)
class WatchCacheHealthTest {
    private static final String PREFIX = "/registry/configmaps/";
    private static final String CHECK = "watch-cache/core/configmaps";
    private static final int WRITES = 5;

    private final KeelsonConfig config = config(Map.of(
            "keelson.storage.path",
            "memory",
            "keelson.watch-cache.lag-threshold",
            "500ms",
            "keelson.watch-cache.lag-revisions",
            "4",
            "keelson.watch-cache.consistency-check-interval",
            "200ms"));
    private final StallingKvStore store = new StallingKvStore(
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system())), PREFIX);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ApiServer server = new ApiServer(config, store, InstantSource.system(), new Random(1));
    private final List<HealthCheck> checks = new HealthChecks(server, config).all();

    private static KeelsonConfig config(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(KeelsonConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        return config.getConfigMapping(KeelsonConfig.class);
    }

    @BeforeEach
    void start() {
        CacheMetrics.register(server, meters);
        server.start();
        eventually().untilAsserted(() -> {
            server.sightStorage();
            assertThat(checks)
                    .allSatisfy(check -> assertThat(check.look().get().outcome())
                            .as(check.name())
                            .isEqualTo(Outcome.OK));
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
    }

    private HealthCheck check() {
        return checks.stream()
                .filter(check -> check.name().equals(CHECK))
                .findFirst()
                .orElseThrow();
    }

    private HealthCheck.Result health() {
        return check().look().get();
    }

    private long lagRevisions() {
        return (Long) health().data().get("lagRevisions");
    }

    private double meter(String name, String... tags) {
        return meters.get(name)
                .tags(tags)
                .tag("group", "")
                .tag("resource", "configmaps")
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            String name = "a" + store.currentRevision();
            String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                    + "\",\"namespace\":\"default\",\"uid\":\"" + name + "\"}}";
            store.put(PREFIX + "default/" + name, object.getBytes(StandardCharsets.UTF_8), 0, 0);
        }
    }

    @Test
    void aStalledResourceIsDegradedUntilItHasCaughtUp() {
        store.stall();
        write(WRITES);
        server.sightStorage();
        assertThat(lagRevisions()).isEqualTo(WRITES);
        assertThat(health().outcome()).isEqualTo(Outcome.DEGRADED);
        assertThat(health().reason()).contains(WRITES + " revisions behind");
        write(WRITES);
        eventually().untilAsserted(() -> {
            server.sightStorage();
            assertThat(health().reason()).contains("not known to be current for", 2 * WRITES + " revisions behind");
        });
        assertThat(meter("apiserver_watch_cache_lag_revisions")).isEqualTo(2 * WRITES);
        double lag = meter("apiserver_watch_cache_lag_seconds");
        assertThat(lag).isGreaterThan(0.5);
        eventually()
                .untilAsserted(() ->
                        assertThat(meter("apiserver_watch_cache_lag_seconds")).isGreaterThan(lag + 0.3));

        HealthCheckResponse response = SmallRyeHealth.respond(check());
        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        Map<String, Object> data = response.getData().orElseThrow();
        assertThat(data).containsEntry("state", "lagging").containsEntry("lagRevisions", 2L * WRITES);
        assertThat(data).containsKeys("reason", "lagSeconds");
        // The others hear that nothing happened to them.
        eventually().untilAsserted(() -> {
            server.sightStorage();
            assertThat(checks)
                    .filteredOn(other -> !other.name().equals(CHECK))
                    .allSatisfy(other -> assertThat(other.look().get().outcome())
                            .as(other.name())
                            .isEqualTo(Outcome.OK));
        });

        store.goOn();
        eventually().untilAsserted(() -> {
            server.sightStorage();
            assertThat(health().outcome()).isEqualTo(Outcome.OK);
            assertThat(health().data()).containsEntry("state", "ready").containsEntry("lagRevisions", 0L);
        });
    }

    @Test
    void aLostEventIsToldAndMended() {
        store.loseNext();
        write(1);
        write(1);
        eventually()
                .untilAsserted(() -> assertThat(meter("apiserver_storage_consistency_checks", "status", "failure"))
                        .isPositive());
        double successes = meter("apiserver_storage_consistency_checks", "status", "success");
        eventually().untilAsserted(() -> {
            assertThat(meter("apiserver_storage_consistency_checks", "status", "success"))
                    .isGreaterThan(successes);
            assertThat(health().outcome()).isEqualTo(Outcome.OK);
            assertThat(health().data()).containsEntry("objects", 2L);
        });
        assertThat(meter("apiserver_storage_consistency_checks", "status", "failure"))
                .isEqualTo(1);
    }
}
