package io.keelson.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One watch over HTTP chunks: a line of JSON for each event. Events wait in the client until they are asked for. For use by
 * one thread.
 */
public final class WatchClient implements AutoCloseable {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** An event as it came. */
    public record Event(String type, JsonNode object) {
        public String name() {
            return object.at("/metadata/name").asText();
        }

        public long resourceVersion() {
            return object.at("/metadata/resourceVersion").asLong();
        }

        /** Whether this bookmark ends the initial events. */
        public boolean endsInitialEvents() {
            return type.equals("BOOKMARK")
                    && object.at("/metadata/annotations/k8s.io~1initial-events-end")
                            .asText()
                            .equals("true");
        }
    }

    private sealed interface Arrival {}

    private record Arrived(Event event) implements Arrival {}

    private record Ended(String why) implements Arrival {}

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_TIMEOUT)
            .build();
    private final LinkedBlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final HttpResponse<InputStream> response;

    private WatchClient(URI uri, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER_TIMEOUT);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            response = http.send(request.build(), BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                String body = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
                throw new AssertionError("No watch from " + uri + ": " + response.statusCode() + " " + body);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No watch from " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while connecting to " + uri, e);
        }
        Thread.ofVirtual().start(() -> read(response.body()));
    }

    /** Opens a watch and waits for the answer's head; the address says {@code watch=1} and headers are names and values. */
    public static WatchClient open(URI uri, String... headers) {
        return new WatchClient(uri, headers);
    }

    public String contentType() {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    /** The next event; fails when the stream ends or none comes in time. */
    public Event next(Duration timeout) {
        return switch (take(timeout)) {
            case Arrived(Event event) -> event;
            case Ended(String why) -> throw new AssertionError("No event, the watch ended: " + why);
            case null -> throw new AssertionError("No event within " + timeout);
        };
    }

    /** The next event, or null where the stream has ended; fails when neither comes in time. */
    public Event nextOrEnd(Duration timeout) {
        return switch (take(timeout)) {
            case Arrived(Event event) -> event;
            case Ended ended -> {
                arrivals.add(ended);
                yield null;
            }
            case null -> throw new AssertionError("Neither event nor end within " + timeout);
        };
    }

    /** Waits until the stream ends; fails when an event comes or the time is over. */
    public void awaitEnd(Duration timeout) {
        Event event = nextOrEnd(timeout);
        if (event != null) {
            throw new AssertionError("An event, not the end: " + event);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private Arrival take(Duration timeout) {
        try {
            return arrivals.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for an event", e);
        }
    }

    private void read(InputStream body) {
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A killed server leaves half a line; it is no event, and the end follows.
                JsonNode frame = ApiClient.JSON.readTree(line);
                arrivals.add(new Arrived(new Event(frame.path("type").asText(), frame.path("object"))));
            }
            arrivals.add(new Ended("by the server"));
        } catch (IOException e) {
            arrivals.add(new Ended(e.toString()));
        }
    }
}
