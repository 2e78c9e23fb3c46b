package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.SseClient;
import io.keelson.testing.WatchClient;
import io.keelson.testing.WatchClient.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose etcd goes away and comes back, or has forgotten what it is asked for. */
class EtcdOutageIT {
    private static final String PATH = "/api/v1/namespaces/default/configmaps";
    private static final int WRITERS = 4;
    private static final int WATCHES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** How long a write may take to fail: the timeout for a call to etcd, 5 s, and what a busy machine adds. */
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(8);

    @TempDir
    private Path folder;

    @Test
    void an_outage_under_load_fails_writes_clearly_loses_nothing_and_heals_by_itself() {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
                ServerProcess server =
                        ServerProcess.etcd(folder, etcd.endpoint()).start();
                ApiClient api = new ApiClient(server.url())) {
            long start = create(api, "start");
            List<EventLog> logs = Stream.generate(() -> new EventLog(server.uri(PATH), start))
                    .limit(WATCHES)
                    .toList();
            try (Writers writers = Writers.start(WRITERS, server.url(), PATH, "w")) {
                writers.awaitMore(200);
                etcd.stop();

                assertUnavailable(writers.awaitRefusal());
                long began = System.nanoTime();
                assertUnavailable(api.post(PATH, ApiClient.configMap("during", "1")));
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(WRITE_LIMIT);
                assertThat(api.get("/livez").code()).isEqualTo(200);
                assertThat(api.get("/q/health/live").code()).isEqualTo(200);
                awaitNotReady(api);
                assertThat(api.get("/q/health/ready").code()).isEqualTo(503);
                assertEventStreamResumes(server, start);

                etcd.restart();
                server.awaitReady();
                writers.awaitMore(200);
                writers.stop();
                long end = create(api, "end");

                writers.assertAllIn(api.get(PATH));
                for (EventLog log : logs) {
                    log.takeUntil(end);
                    writers.assertEachOnceIn(log.events());
                }
                writers.refusals().forEach(EtcdOutageIT::assertUnavailable);
            } finally {
                logs.forEach(EventLog::close);
            }
        }
    }

    @Test
    void a_server_that_starts_before_its_etcd_is_live_and_becomes_ready_with_it() {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5)) {
            etcd.stop();
            try (ServerProcess server =
                            ServerProcess.etcd(folder, etcd.endpoint()).launch();
                    ApiClient api = new ApiClient(server.url())) {
                Awaitility.await("livez")
                        .atMost(TIMEOUT)
                        .ignoreExceptions()
                        .until(() -> api.get("/livez").code() == 200);
                awaitNotReady(api);
                assertUnavailable(api.post(PATH, ApiClient.configMap("early", "1")));

                etcd.restart();
                server.awaitReady();
                create(api, "a");
                assertThat(api.get("/api/v1/namespaces/kube-system").code()).isEqualTo(200);
            }
        }
    }

    @Test
    void what_etcd_has_compacted_is_expired_after_a_restart() {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
                ServerProcess server =
                        ServerProcess.etcd(folder, etcd.endpoint()).start();
                ApiClient api = new ApiClient(server.url())) {
            long first = create(api, "a");
            create(api, "b");
            long last = create(api, "c");
            server.stop();
            etcd.etcdctl("compact", Long.toString(last));
            server.restart();

            try (WatchClient watch = WatchClient.open(server.uri(PATH + "?watch=1&resourceVersion=" + first))) {
                Event error = watch.next(TIMEOUT);
                assertThat(error.type()).isEqualTo("ERROR");
                assertThat(error.object().at("/code").asInt()).isEqualTo(410);
                assertThat(error.object().at("/reason").asText()).isEqualTo("Expired");
                watch.awaitEnd(TIMEOUT);
            }
            Answer list = api.get(PATH + "?resourceVersionMatch=Exact&resourceVersion=" + first);
            assertThat(list.code()).isEqualTo(410);
            assertThat(list.at("/reason")).isEqualTo("Expired");
            assertEventStreamBeginsAnew(server, api, first);
        }
    }

    private static void assertEventStreamBeginsAnew(ServerProcess server, ApiClient api, long expired) {
        try (SseClient stream = SseClient.resume(server.uri(PATH + "?watch=1"), Long.toString(expired))) {
            SseClient.Event error = stream.next(TIMEOUT);
            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.data()).contains("\"code\":410");
            for (String name : List.of("a", "b", "c")) {
                SseClient.Event present = stream.next(TIMEOUT);
                assertThat(present.type()).isEqualTo("ADDED");
                assertThat(present.data()).contains("\"name\":\"" + name + "\"");
            }
            assertThat(stream.next(TIMEOUT).data()).contains("k8s.io/initial-events-end");
            long later = create(api, "later");
            assertThat(stream.next(TIMEOUT).id()).isEqualTo(Long.toString(later));
        }
    }

    /** From the cache, which has what came before the outage. */
    private static void assertEventStreamResumes(ServerProcess server, long seen) {
        try (SseClient stream = SseClient.resume(server.uri(PATH + "?watch=1"), Long.toString(seen))) {
            assertThat(stream.next(TIMEOUT).type()).isEqualTo("ADDED");
        }
    }

    private static void awaitNotReady(ApiClient api) {
        Awaitility.await("readyz says why not").atMost(TIMEOUT).untilAsserted(() -> {
            Answer ready = api.get("/readyz");
            assertThat(ready.code()).isEqualTo(503);
            assertThat(ready.text()).containsPattern("\\[-]etcd failed: \\S+").contains("readyz check failed");
        });
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.code()).as(answer.toString()).isIn(503, 504);
        assertThat(answer.at("/kind")).isEqualTo("Status");
        assertThat(answer.at("/reason")).as(answer.toString()).isIn("ServiceUnavailable", "Timeout");
        assertThat(answer.at("/message")).contains("etcd");
    }

    private static long create(ApiClient api, String name) {
        return Long.parseLong(
                api.post(PATH, ApiClient.configMap(name, "1")).succeeded().at("/metadata/resourceVersion"));
    }
}
