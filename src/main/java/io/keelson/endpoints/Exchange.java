package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.api.Yaml;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.Gzip;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.protobuf.Protobuf;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.impl.ContextInternal;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its answer, for code that runs on a thread of its own and may block. Used by one thread at a time,
 * after the body has been read.
 */
final class Exchange {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final QueryParameters query;
    private final byte[] body;
    private final Context context;
    private final AtomicBoolean answered = new AtomicBoolean();
    private List<String> warnings = List.of();
    private int code;

    /** Made on the request's event loop. */
    Exchange(Vertx vertx, HttpServerRequest request, QueryParameters query, byte[] body) {
        this.vertx = vertx;
        this.request = request;
        this.query = query;
        this.body = body;
        this.context = vertx.getOrCreateContext();
    }

    /** The pulse of the request's event loop; to be asked for on that loop. */
    StreamPulse pulse() {
        return StreamPulse.of(((ContextInternal) context).nettyEventLoop());
    }

    /** Runs on the request's event loop; what the task throws becomes the answer. */
    void onContext(Runnable task) {
        context.runOnContext(ignored -> runGuarded(task));
    }

    Vertx vertx() {
        return vertx;
    }

    HttpServerRequest request() {
        return request;
    }

    HttpMethod method() {
        return request.method();
    }

    QueryParameters query() {
        return query;
    }

    byte[] body() {
        return body;
    }

    @Nullable
    String header(String name) {
        return request.getHeader(name);
    }

    /** Texts that the answer is to carry as Warning headers; more may be added to the list until it is sent. */
    void warnings(List<String> texts) {
        this.warnings = texts;
    }

    /** The code that was answered, 0 before. */
    int code() {
        return code;
    }

    /**
     * The body of a create or a replacement as a tree, in which keys may be given more than once.
     *
     * @param duplicates is told the paths of such keys, where the body is JSON
     * @param told is told of such keys in words, where it is YAML
     */
    JsonNode parsedBody(Consumer<String> duplicates, Consumer<String> told) {
        return switch (MediaTypes.body(header("Content-Type"))) {
            case YAML -> Yaml.parse(body, text -> told.accept("yaml: " + text));
            case PROTOBUF -> Protobuf.parse(body);
            case JSON, EVENT_STREAM -> Json.parse(body, duplicates);
        };
    }

    /** The body of a deletion as a tree. */
    JsonNode parsedBody() {
        return switch (MediaTypes.body(header("Content-Type"))) {
            case YAML -> Yaml.parse(body);
            case PROTOBUF -> Protobuf.parse(body);
            case JSON, EVENT_STREAM -> Json.parse(body);
        };
    }

    // ---- answers

    /** What Go takes for true. */
    private static final Set<String> TRUTHS = Set.of("1", "t", "T", "true", "True", "TRUE");

    /** Whether a person reads the answer: asked for, or a command-line client or browser. */
    boolean pretty() {
        String asked = query.first("pretty");
        if (asked != null && !asked.isEmpty()) {
            return TRUTHS.contains(asked);
        }
        String agent = header("User-Agent");
        return agent != null
                && (agent.startsWith("curl/") || agent.startsWith("Wget/") || agent.startsWith("Mozilla/"));
    }

    void sendTree(int status, Encoding encoding, ObjectNode tree) {
        byte[] bytes = encoding == Encoding.YAML
                ? Yaml.write(tree)
                : pretty() ? withNewline(Json.writePretty(tree)) : Json.write(tree);
        send(status, encoding.mediaType(), bytes);
    }

    /** Sends JSON as it is, or in the form that the client or a person wants. */
    void sendJson(int status, Encoding encoding, byte[] json) {
        if (encoding == Encoding.JSON && !pretty()) {
            send(status, encoding.mediaType(), json);
        } else {
            sendTree(status, encoding, Json.parseTrusted(json));
        }
    }

    private static byte[] withNewline(byte[] json) {
        byte[] out = Arrays.copyOf(json, json.length + 1);
        out[json.length] = '\n';
        return out;
    }

    void send(int status, String contentType, byte[] content) {
        if (!head(status, contentType)) {
            return;
        }
        HttpServerResponse response = request.response();
        byte[] bytes = content;
        if (content.length > Gzip.MIN_BYTES && beginGzip(response)) {
            bytes = new Gzip(List.of(content).iterator()).join();
        }
        if (method().equals(HttpMethod.HEAD)) {
            response.putHeader("Content-Length", Integer.toString(bytes.length)).end();
        } else {
            response.end(Buffers.wrap(bytes));
        }
    }

    /** Sends pieces as they are made, never more than the client takes. Gives up when it goes away. */
    void sendPieces(int status, String contentType, Iterator<byte[]> given) {
        byte[] first = given.next();
        if (!given.hasNext()) {
            send(status, contentType, first);
            return;
        }
        if (!head(status, contentType)) {
            return;
        }
        HttpServerResponse response = request.response();
        Iterator<byte[]> pieces = startingWith(first, given);
        if (beginGzip(response)) {
            // There is more than one piece, so this is long or close to it.
            pieces = new Gzip(pieces);
        }
        response.setChunked(true);
        var writer = new PieceWriter(new PieceWriter.Body() {
            @Override
            public Future<Void> write(byte[] piece) {
                return response.write(Buffers.wrap(piece));
            }

            @Override
            public boolean closed() {
                return response.closed();
            }
        });
        response.exceptionHandler(gone -> writer.wake());
        response.closeHandler(gone -> writer.wake());
        if (writer.write(pieces)) {
            var _ = response.end();
        }
    }

    /** Announces a compressed answer where the client takes one; false where it is to be sent as it is. */
    private boolean beginGzip(HttpServerResponse response) {
        boolean wanted = !method().equals(HttpMethod.HEAD)
                && !response.headers().contains("Content-Encoding")
                && Gzip.isAccepted(header("Accept-Encoding"));
        if (wanted) {
            response.putHeader("Content-Encoding", "gzip");
            response.putHeader("Vary", "Accept-Encoding");
        }
        return wanted;
    }

    private static Iterator<byte[]> startingWith(byte[] first, Iterator<byte[]> rest) {
        return new Iterator<>() {
            private boolean begun;

            @Override
            public boolean hasNext() {
                return !begun || rest.hasNext();
            }

            @Override
            public byte[] next() {
                if (begun) {
                    return rest.next();
                }
                begun = true;
                return first;
            }
        };
    }

    /** Runs what answers this request; whatever it throws becomes the answer. */
    void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            fail(e);
        }
    }

    /** Answers with what was thrown, unless an answer has begun: then the connection is cut, so that nobody takes it for whole. */
    void fail(Throwable error) {
        Status status = ErrorMapper.toStatus(error, method() + " " + request.path());
        if (request.response().headWritten()) {
            request.connection().close();
            return;
        }
        fail(status, ErrorMapper.toTree(error, status));
    }

    void fail(Status status, ObjectNode tree) {
        HttpServerResponse response = request.response();
        Status.Details details = status.details();
        if (details != null && details.retryAfterSeconds() > 0) {
            response.putHeader("Retry-After", Integer.toString(details.retryAfterSeconds()));
        }
        if (status.reason() == StatusReason.REQUEST_ENTITY_TOO_LARGE) {
            response.putHeader("Connection", "close");
        }
        sendTree(status.code(), Encoding.JSON, tree);
    }

    /** Sets what every answer begins with; false where one was given already. */
    boolean head(int status, String contentType) {
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        code = status;
        HttpServerResponse response = request.response();
        response.setStatusCode(status);
        response.putHeader("Content-Type", contentType);
        if (!response.headers().contains("Cache-Control")) {
            response.putHeader("Cache-Control", "no-cache, private");
        }
        WarningHeaders.of(warnings).forEach(value -> response.headers().add("Warning", value));
        return true;
    }
}
