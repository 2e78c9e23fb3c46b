package io.keelson.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Plain HTTP to a server under test: one request, one answer, whatever it is. Safe for use by several threads; every call
 * is bounded by {@link #TIMEOUT}.
 */
public final class ApiClient implements AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofSeconds(60);

    static final ObjectMapper JSON = JsonMapper.builder().build();

    private final String url;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    /** @param url where the server is, without a slash at its end */
    public ApiClient(String url) {
        this.url = url;
    }

    /** What the server answered. */
    public record Answer(String request, HttpResponse<byte[]> response) {

        public int code() {
            return response.statusCode();
        }

        public String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        /** A header's first value, empty where there is none. */
        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (IOException e) {
                throw new AssertionError("No JSON in " + this, e);
            }
        }

        /** A value of the JSON by its pointer, such as {@code /metadata/name}, as text; empty where it is missing. */
        public String at(String pointer) {
            return json().at(pointer).asText();
        }

        /** This answer, where it is a success; fails with all of it where it is not. */
        public Answer succeeded() {
            if (code() / 100 != 2) {
                throw new AssertionError(this);
            }
            return this;
        }

        @Override
        public String toString() {
            return request + ": " + code() + " " + response.headers().map() + "\n" + text();
        }
    }

    /** Sends a GET; headers are names and values in turn. */
    public Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    /** Sends a POST of JSON. */
    public Answer post(String path, String json) {
        return send("POST", path, bytes(json), "Content-Type", "application/json");
    }

    /** Sends a PUT of JSON. */
    public Answer put(String path, String json) {
        return send("PUT", path, bytes(json), "Content-Type", "application/json");
    }

    /** Sends a JSON merge patch. */
    public Answer patch(String path, String json) {
        return send("PATCH", path, bytes(json), "Content-Type", "application/merge-patch+json");
    }

    public Answer delete(String path) {
        return send("DELETE", path, null);
    }

    /** Sends any request; headers are names and values in turn, a null body means none. */
    public Answer send(String method, String path, byte[] body, String... headers) {
        try {
            return exchange(method, path, body, headers);
        } catch (IOException e) {
            throw new UncheckedIOException("No answer to " + method + " " + path, e);
        }
    }

    /** As {@link #send}, in chunks and without telling the length. */
    public Answer sendChunked(String method, String path, byte[] body, String... headers) {
        try {
            return exchange(method, path, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)), headers);
        } catch (IOException e) {
            throw new UncheckedIOException("No answer to " + method + " " + path, e);
        }
    }

    /** As {@link #send}, for requests that may find no server. */
    public Answer exchange(String method, String path, byte[] body, String... headers) throws IOException {
        return exchange(
                method, path, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body), headers);
    }

    private Answer exchange(String method, String path, BodyPublisher body, String... headers) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT).method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Answer(method + " " + path, http.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted in " + method + " " + path, e);
        }
    }

    /** Makes a namespace. */
    /**
     * The whole answer to a GET, headers included, of a target that is sent as it stands: also one that no client library
     * lets pass.
     */
    public String getVerbatim(String target) throws IOException {
        URI server = URI.create(url);
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.getOutputStream()
                    .write(bytes("GET " + target + " HTTP/1.1\r\nHost: keelson\r\nConnection: close\r\n\r\n"));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public void createNamespace(String name) {
        post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}").succeeded();
    }

    /** The JSON of a config map with one value. */
    public static String configMap(String name, String value) {
        try {
            var tree = JSON.createObjectNode();
            tree.put("apiVersion", "v1").put("kind", "ConfigMap");
            tree.putObject("metadata").put("name", name);
            tree.putObject("data").put("value", value);
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
