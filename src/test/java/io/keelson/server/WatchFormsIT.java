package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keelson.testing.ApiClient;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.SseClient;
import io.keelson.testing.WatchClient;
import io.keelson.testing.WatchClient.Event;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which a watch reaches its client: HTTP chunks, WebSocket messages and server-sent events. */
@ExtendWith(MemoryServer.class)
class WatchFormsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private ServerProcess server;
    private ApiClient api;
    private Namespace namespace;
    private String configMaps;

    @BeforeEach
    void use(ServerProcess server, ApiClient api, Namespace namespace) {
        this.server = server;
        this.api = api;
        this.namespace = namespace;
        this.configMaps = namespace.path("configmaps");
    }

    // ---- HTTP chunks

    @Test
    void chunks_carry_the_present_and_then_every_change_in_order() {
        create("a");
        try (WatchClient watch = watch("watch=1")) {
            assertThat(watch.contentType()).startsWith("application/json");
            Event present = watch.next(TIMEOUT);
            assertThat(present.type()).isEqualTo("ADDED");
            assertThat(present.object().at("/kind").asText()).isEqualTo("ConfigMap");
            create("b");
            change("a", "2");
            remove("b");
            List<Event> events = List.of(watch.next(TIMEOUT), watch.next(TIMEOUT), watch.next(TIMEOUT));
            assertThat(events).extracting(Event::type).containsExactly("ADDED", "MODIFIED", "DELETED");
            assertThat(events).extracting(Event::name).containsExactly("b", "a", "b");
            assertThat(events)
                    .extracting(Event::resourceVersion)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .allMatch(revision -> revision > present.resourceVersion());
        }
    }

    @Test
    void a_watch_from_a_resource_version_begins_after_it() {
        long first = create("a");
        long second = change("a", "2");
        try (WatchClient watch = watch("watch=true&resourceVersion=" + first)) {
            Event event = watch.next(TIMEOUT);
            assertThat(event.type()).isEqualTo("MODIFIED");
            assertThat(event.resourceVersion()).isEqualTo(second);
        }
    }

    @Test
    void selectors_turn_what_enters_and_leaves_into_additions_and_deletions() {
        long revision = create("a");
        String query = "watch=1&labelSelector=app%3Dweb&resourceVersion=" + revision;
        try (WatchClient watch = watch(query);
                WatchClient one = watch("watch=1&fieldSelector=metadata.name%3Db&resourceVersion=" + revision)) {
            api.patch(configMaps + "/a", "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}")
                    .succeeded();
            change("a", "2");
            api.patch(configMaps + "/a", "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}")
                    .succeeded();
            assertThat(List.of(watch.next(TIMEOUT), watch.next(TIMEOUT), watch.next(TIMEOUT)))
                    .extracting(Event::type)
                    .containsExactly("ADDED", "MODIFIED", "DELETED");
            create("b");
            assertThat(one.next(TIMEOUT).name()).isEqualTo("b");
        }
    }

    @Test
    void timeout_seconds_ends_the_stream_in_good_order() {
        create("a");
        try (WatchClient watch = watch("watch=1&timeoutSeconds=1")) {
            assertThat(watch.next(TIMEOUT).name()).isEqualTo("a");
            watch.awaitEnd(TIMEOUT);
        }
    }

    @Test
    void bookmarks_come_before_the_end_to_those_who_allow_them() {
        long revision = create("a");
        try (WatchClient watch =
                watch("watch=1&allowWatchBookmarks=true&timeoutSeconds=4&resourceVersion=" + revision)) {
            Event bookmark = watch.next(TIMEOUT);
            assertThat(bookmark.type()).isEqualTo("BOOKMARK");
            assertThat(bookmark.object().at("/kind").asText()).isEqualTo("ConfigMap");
            assertThat(bookmark.resourceVersion()).isGreaterThanOrEqualTo(revision);
        }
    }

    @Test
    void initial_events_end_with_a_bookmark_that_says_so() {
        create("a");
        create("b");
        try (WatchClient watch =
                watch("watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            assertThat(List.of(watch.next(TIMEOUT).name(), watch.next(TIMEOUT).name()))
                    .containsExactly("a", "b");
            Event end = watch.next(TIMEOUT);
            assertThat(end.endsInitialEvents()).as(end.toString()).isTrue();
            long created = create("c");
            Event live = watch.next(TIMEOUT);
            assertThat(live.resourceVersion()).isEqualTo(created).isGreaterThan(end.resourceVersion());
        }
    }

    @Test
    void a_table_watch_tells_its_columns_once() {
        create("a");
        try (WatchClient watch = watch("watch=1", "Accept", TABLE)) {
            Event first = watch.next(TIMEOUT);
            assertThat(first.object().at("/kind").asText()).isEqualTo("Table");
            assertThat(first.object().at("/rows/0/cells/0").asText()).isEqualTo("a");
            assertThat(first.object().at("/columnDefinitions")).isNotEmpty();
            create("b");
            Event second = watch.next(TIMEOUT);
            assertThat(second.object().at("/rows/0/cells/0").asText()).isEqualTo("b");
            assertThat(second.object().at("/columnDefinitions")).isEmpty();
        }
    }

    // ---- WebSocket

    @ParameterizedTest
    @ValueSource(strings = {"", "http://elsewhere.example.com"})
    void a_web_socket_carries_one_event_a_message_with_and_without_an_origin(String origin) throws Exception {
        long revision = create("a");
        var messages = new LinkedBlockingQueue<String>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(TIMEOUT);
            if (!origin.isEmpty()) {
                builder.header("Origin", origin);
            }
            String path = configMaps + "?watch=true&resourceVersion=" + revision;
            WebSocket socket = builder.buildAsync(
                            URI.create(server.url().replace("http:", "ws:") + path), new Messages(messages))
                    .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            create("b");
            remove("b");
            assertThat(List.of(message(messages), message(messages)))
                    .extracting(event -> event.at("/type").asText() + " "
                            + event.at("/object/metadata/name").asText())
                    .containsExactly("ADDED b", "DELETED b");
            socket.abort();
            http.shutdownNow();
        }
    }

    private record Messages(LinkedBlockingQueue<String> messages, StringBuilder partial) implements WebSocket.Listener {
        Messages(LinkedBlockingQueue<String> messages) {
            this(messages, new StringBuilder());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                messages.add(partial.toString());
                partial.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }

    private static JsonNode message(LinkedBlockingQueue<String> messages) throws InterruptedException, IOException {
        String message = messages.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(message).as("a message within " + TIMEOUT).isNotNull();
        return new ObjectMapper().readTree(message);
    }

    // ---- server-sent events

    @Test
    void server_sent_events_carry_the_present_its_end_and_every_change() {
        create("a");
        try (SseClient stream = SseClient.open(server.uri(configMaps + "?watch=1"))) {
            SseClient.Event present = stream.next(TIMEOUT);
            assertThat(present.type()).isEqualTo("ADDED");
            assertThat(present.id())
                    .as("no position before the present state is whole")
                    .isEmpty();
            SseClient.Event end = stream.next(TIMEOUT);
            assertThat(end.type()).isEqualTo("BOOKMARK");
            assertThat(end.data()).contains("k8s.io/initial-events-end");
            long created = create("b");
            SseClient.Event added = stream.next(TIMEOUT);
            assertThat(added.type()).isEqualTo("ADDED");
            assertThat(added.id()).isEqualTo(Long.toString(created));
            assertThat(added.data()).contains("\"name\":\"b\"");
        }
    }

    @Test
    void last_event_id_resumes_after_the_event_that_was_seen() {
        create("a");
        String seen;
        try (SseClient stream = SseClient.open(server.uri(configMaps + "?watch=1"))) {
            stream.next(TIMEOUT);
            stream.next(TIMEOUT);
            create("b");
            seen = stream.next(TIMEOUT).id();
        }
        create("c");
        remove("b");
        try (SseClient stream = SseClient.resume(server.uri(configMaps + "?watch=1"), seen)) {
            List<String> missed = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                SseClient.Event event = stream.next(TIMEOUT);
                missed.add(event.type());
            }
            assertThat(missed).containsExactly("ADDED", "DELETED");
        }
    }

    @Test
    void an_id_of_another_store_is_an_error_and_then_the_present_anew() {
        long elsewhere = create("a") + 1_000_000;
        try (SseClient stream = SseClient.resume(server.uri(configMaps + "?watch=1"), Long.toString(elsewhere))) {
            SseClient.Event error = stream.next(TIMEOUT);
            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.data()).contains("\"code\":410");
            assertThat(stream.next(TIMEOUT).type()).isEqualTo("ADDED");
            SseClient.Event end = stream.next(TIMEOUT);
            assertThat(end.data()).contains("k8s.io/initial-events-end");
            assertThat(stream.lastEventId()).isNotEmpty();
            create("later");
            assertThat(stream.next(TIMEOUT).data()).contains("\"name\":\"later\"");
        }
    }

    @Test
    void one_stream_carries_several_resources_and_its_id_all_their_positions() {
        create("a");
        URI uri = server.uri("/watch?resource=" + escaped(configMaps) + "&resource="
                + escaped(namespace.path("secrets") + "?labelSelector=app=web"));
        String seen;
        long inBetween;
        try (SseClient stream = SseClient.open(uri)) {
            List<String> initial = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                initial.add(stream.next(TIMEOUT).type());
            }
            assertThat(initial).containsExactlyInAnyOrder("ADDED", "BOOKMARK", "BOOKMARK");
            assertThat(stream.lastEventId()).matches("\\d+,\\d+");
            long created = create("b");
            SseClient.Event event = stream.next(TIMEOUT);
            assertThat(event.id()).startsWith(created + ",");
            seen = event.id();
        }
        createSecret("unseen", "db");
        inBetween = createSecret("seen", "web");
        change("b", "2");
        try (SseClient stream = SseClient.resume(uri, seen)) {
            List<String> missed = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                SseClient.Event event = stream.next(TIMEOUT);
                missed.add(event.type() + (event.data().contains("\"kind\":\"Secret\"") ? " Secret" : " ConfigMap"));
            }
            assertThat(missed).containsExactlyInAnyOrder("ADDED Secret", "MODIFIED ConfigMap");
            assertThat(stream.lastEventId()).endsWith("," + inBetween);
        }
    }

    private long createSecret(String name, String app) {
        return Long.parseLong(api.post(
                        namespace.path("secrets"),
                        "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"%s\"}}}".formatted(name, app))
                .succeeded()
                .at("/metadata/resourceVersion"));
    }

    private WatchClient watch(String query, String... headers) {
        return WatchClient.open(server.uri(configMaps + "?" + query), headers);
    }

    private long create(String name) {
        return Long.parseLong(
                api.post(configMaps, ApiClient.configMap(name, "1")).succeeded().at("/metadata/resourceVersion"));
    }

    private long change(String name, String value) {
        return Long.parseLong(api.patch(configMaps + "/" + name, "{\"data\":{\"value\":\"" + value + "\"}}")
                .succeeded()
                .at("/metadata/resourceVersion"));
    }

    private void remove(String name) {
        api.delete(configMaps + "/" + name).succeeded();
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
