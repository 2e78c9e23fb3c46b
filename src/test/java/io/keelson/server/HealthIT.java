package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Health and metrics of a server that is well, in Kubernetes' and in MicroProfile's form. */
@ExtendWith(MemoryServer.class)
class HealthIT {

    @ParameterizedTest
    @ValueSource(
            strings = {"/livez", "/readyz", "/healthz", "/livez/ping", "/readyz/storage", "/readyz?exclude=storage"})
    void health_is_ok_in_a_word(String path, ApiClient api) {
        Answer answer = api.get(path);
        assertThat(answer.code()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("ok");
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }

    @Test
    void verbose_readiness_lists_every_check(ApiClient api) {
        assertThat(api.get("/readyz?verbose").text())
                .contains("[+]ping ok\n", "[+]storage ok", "[+]watch-cache/core/configmaps ok")
                .endsWith("readyz check passed\n");
        assertThat(api.get("/readyz?verbose&exclude=storage").text()).contains("[+]storage excluded: ok\n");
        assertThat(api.get("/livez?verbose").text()).isEqualTo("[+]ping ok\nlivez check passed\n");
    }

    @Test
    void a_check_that_does_not_exist_is_not_found(ApiClient api) {
        assertThat(api.get("/readyz/nothing").code()).isEqualTo(404);
        assertThat(api.get("/livez/storage").code())
                .as("liveness never looks at the store")
                .isEqualTo(404);
    }

    @Test
    void micro_profile_health_has_the_same_checks_with_their_data(ApiClient api) {
        Answer live = api.get("/q/health/live");
        assertThat(live.code()).isEqualTo(200);
        assertThat(live.json().at("/checks").findValuesAsText("name")).containsExactly("ping");

        Answer ready = api.get("/q/health/ready");
        assertThat(ready.code()).isEqualTo(200);
        assertThat(ready.at("/status")).isEqualTo("UP");
        JsonNode store = check(ready, "storage").get("data");
        assertThat(store.at("/type").asText()).isEqualTo("embedded");
        assertThat(store.at("/databaseBytes").asLong()).isPositive();
        assertThat(store.at("/revision").asLong()).isPositive();
        assertThat(store.fieldNames()).toIterable().contains("members", "leader", "version", "lastError");

        JsonNode cache = check(ready, "watch-cache/core/configmaps").get("data");
        assertThat(cache.at("/state").asText()).isEqualTo("ready");
        assertThat(cache.at("/window").asInt()).isGreaterThanOrEqualTo(100);
        assertThat(cache.fieldNames())
                .toIterable()
                .contains("oldest", "newest", "watchers", "lagRevisions", "lagSeconds");
    }

    @Test
    void metrics_have_the_names_that_kubernetes_dashboards_use(ApiClient api, Namespace namespace) {
        api.post(namespace.path("configmaps"), ApiClient.configMap("a", "1")).succeeded();
        api.get(namespace.path("configmaps/a")).succeeded();
        String metrics = api.get("/metrics").succeeded().text();
        for (String name : List.of(
                "apiserver_request_total",
                "apiserver_request_duration_seconds_bucket",
                "apiserver_storage_objects",
                "apiserver_storage_size_bytes",
                "apiserver_watch_cache_capacity",
                "apiserver_watch_cache_resource_version",
                "apiserver_watch_cache_events_received_total",
                "apiserver_watch_cache_events_dispatched_total",
                "apiserver_watch_cache_initializations_total",
                "apiserver_watch_cache_consistent_read_total",
                "apiserver_watch_cache_read_wait_seconds_count",
                "apiserver_watch_cache_lag_revisions",
                "apiserver_watch_cache_lag_seconds",
                "apiserver_storage_consistency_checks_total",
                "keelson_watch_cache_history_bytes",
                "etcd_request_duration_seconds_bucket",
                "etcd_request_duration_seconds_count")) {
            assertThat(metrics).containsPattern("(?m)^" + name + "[{ ]");
        }
        assertThat(metrics.lines()
                        .filter(line -> line.startsWith("apiserver_request_total{")
                                && line.contains("verb=\"POST\"")
                                && line.contains("resource=\"configmaps\"")
                                && line.contains("code=\"201\"")))
                .hasSize(1);
    }

    private static JsonNode check(Answer health, String name) {
        for (JsonNode check : health.json().get("checks")) {
            if (check.get("name").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("No check " + name + " in " + health);
    }
}
