package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.SseClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store over the end of its server: nothing that was acknowledged is lost, and watches go on. */
class RestartIT {
    private static final String PATH = "/api/v1/namespaces/default/configmaps";
    private static final int WRITERS = 16;
    private static final int WATCHES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private ServerProcess server;
    private ApiClient api;

    @BeforeEach
    void start() {
        server = ServerProcess.embedded(folder).start();
        api = new ApiClient(server.url());
    }

    @AfterEach
    void stop() {
        if (api != null) {
            api.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void a_kill_under_load_loses_no_acknowledged_write_and_watches_that_resume_miss_and_repeat_nothing() {
        long start = create("start");
        List<EventLog> logs = Stream.generate(() -> new EventLog(server.uri(PATH), start))
                .limit(WATCHES)
                .toList();
        try (Writers writers = Writers.start(WRITERS, server.url(), PATH, "w")) {
            writers.awaitMore(400);
            server.kill();
            logs.forEach(EventLog::takeUntilEnd);

            server.restart();
            logs.forEach(EventLog::resume);
            writers.awaitMore(200);
            writers.stop();
            long end = create("end");

            writers.assertAllIn(api.get(PATH));
            for (EventLog log : logs) {
                log.takeUntil(end);
                writers.assertEachOnceIn(log.events());
            }
            // A server that has just begun to listen may ask to come back in a moment; anything else is a fault.
            assertThat(writers.refusals()).allMatch(answer -> answer.code() == 429 || answer.code() == 503);
        } finally {
            logs.forEach(EventLog::close);
        }
    }

    @Test
    void an_event_stream_survives_a_restart_by_its_last_event_id() {
        create("a");
        String seen;
        try (SseClient stream = SseClient.open(server.uri(PATH + "?watch=1"))) {
            assertThat(stream.next(TIMEOUT).data()).contains("\"name\":\"a\"");
            assertThat(stream.next(TIMEOUT).data()).contains("k8s.io/initial-events-end");
            create("b");
            seen = stream.next(TIMEOUT).id();
            create("missed");
            server.stop();
        }
        server.restart();
        try (SseClient stream = SseClient.resume(server.uri(PATH + "?watch=1"), seen)) {
            SseClient.Event missed = stream.next(TIMEOUT);
            assertThat(missed.type()).isEqualTo("ADDED");
            assertThat(missed.data()).contains("\"name\":\"missed\"");
            long later = create("later");
            assertThat(stream.next(TIMEOUT).id()).isEqualTo(Long.toString(later));
        }
    }

    private long create(String name) {
        return Long.parseLong(
                api.post(PATH, ApiClient.configMap(name, "1")).succeeded().at("/metadata/resourceVersion"));
    }
}
