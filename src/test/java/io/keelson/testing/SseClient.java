package io.keelson.testing;

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
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One server-sent event stream, read as a browser's EventSource reads it, but with every reconnect in the test's hand:
 * open another client with this one's {@link #lastEventId}. Events wait in the client until they are asked for. For use
 * by one thread.
 */
public final class SseClient implements AutoCloseable {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** {@code id} is the last id that the stream gave up to this event, as EventSource's lastEventId is. */
    public record Event(String id, String type, String data) {}

    /** The server answered with something else than a stream. */
    public static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final String body;

        RefusedException(int status, String body) {
            super("The server answered " + status + ": " + body);
            this.status = status;
            this.body = body;
        }

        public int status() {
            return status;
        }

        public String body() {
            return body;
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
    private final AtomicInteger comments = new AtomicInteger();
    private String lastEventId;

    private SseClient(URI uri, String lastEventId) {
        this.lastEventId = lastEventId;
        InputStream body = connect(uri);
        Thread.ofVirtual().start(() -> read(body, lastEventId));
    }

    /** Opens a fresh stream and waits for the answer's head. */
    public static SseClient open(URI uri) {
        return new SseClient(uri, "");
    }

    /** Opens a stream that goes on after the event with this id. */
    public static SseClient resume(URI uri, String lastEventId) {
        return new SseClient(uri, lastEventId);
    }

    /** The next event; fails when the stream ends or none comes in time. */
    public Event next(Duration timeout) {
        return switch (take(timeout)) {
            case Arrived(Event event) -> event;
            case Ended(String why) -> throw new AssertionError("No event, the stream ended: " + why);
            case null -> throw new AssertionError("No event within " + timeout);
        };
    }

    /** The next event where one comes in time; fails when the stream ends. */
    public Optional<Event> poll(Duration timeout) {
        return switch (take(timeout)) {
            case Arrived(Event event) -> Optional.of(event);
            case Ended(String why) -> throw new AssertionError("No event, the stream ended: " + why);
            case null -> Optional.empty();
        };
    }

    /** Waits until the server or a failure ends the stream; fails when an event comes or the time is over. */
    public void awaitEnd(Duration timeout) {
        switch (take(timeout)) {
            case Arrived(Event event) -> throw new AssertionError("An event, not the end: " + event);
            case Ended ended -> arrivals.add(ended);
            case null -> throw new AssertionError("Still open after " + timeout);
        }
    }

    /** The id to resume from after the events that were taken. */
    public String lastEventId() {
        return lastEventId;
    }

    /** How many comments, which keep a stream alive, have come. */
    public int comments() {
        return comments.get();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private Arrival take(Duration timeout) {
        try {
            Arrival arrival = arrivals.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (arrival instanceof Arrived(Event event)) {
                lastEventId = event.id();
            }
            return arrival;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for an event", e);
        }
    }

    private InputStream connect(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Accept", "text/event-stream")
                .header("Cache-Control", "no-store")
                .timeout(ANSWER_TIMEOUT);
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            String type = response.headers().firstValue("Content-Type").orElse("");
            if (response.statusCode() != 200 || !type.startsWith("text/event-stream")) {
                String body = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
                throw new RefusedException(response.statusCode(), body);
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException("No stream from " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while connecting to " + uri, e);
        }
    }

    private void read(InputStream body, String firstId) {
        String id = firstId;
        String type = "";
        StringBuilder data = new StringBuilder();
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int colon = line.indexOf(':');
                String field = colon < 0 ? line : line.substring(0, colon);
                String value = colon < 0 ? "" : line.substring(colon + 1);
                value = value.startsWith(" ") ? value.substring(1) : value;
                if (line.isEmpty()) {
                    dispatch(id, type, data);
                    type = "";
                    data.setLength(0);
                } else if (colon == 0) {
                    comments.incrementAndGet();
                } else {
                    switch (field) {
                        case "id" -> id = value;
                        case "event" -> type = value;
                        case "data" -> data.append(value).append('\n');
                        default -> {} // The standard says that other fields are ignored.
                    }
                }
            }
            arrivals.add(new Ended("by the server"));
        } catch (IOException e) {
            arrivals.add(new Ended(e.toString()));
        }
    }

    private void dispatch(String id, String type, StringBuilder data) {
        if (!data.isEmpty()) {
            data.setLength(data.length() - 1);
            arrivals.add(new Arrived(new Event(id, type.isEmpty() ? "message" : type, data.toString())));
        }
    }
}
