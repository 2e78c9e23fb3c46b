package io.keelson.endpoints;

import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.Form;
import io.keelson.endpoints.output.IncludeObject;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Watch;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** GET with {@code watch}: events as HTTP chunks, as WebSocket messages or as server-sent events. */
final class WatchVerb {
    private final InstantSource clock;
    private final RandomGenerator random;
    private final EventStreams eventStreams;

    WatchVerb(InstantSource clock, RandomGenerator random, Executor threads) {
        this.clock = clock;
        this.random = random;
        this.eventStreams = new EventStreams(threads);
    }

    EventStreams eventStreams() {
        return eventStreams;
    }

    /** Starts a watch. Runs on a thread that may block; the request is paused. */
    void serve(Request request, RestStorage.Watcher storage, Runnable onEnd) {
        Exchange exchange = request.exchange();
        boolean webSocket = wantsWebSocket(exchange.request());
        Answer negotiated =
                webSocket ? webSocketAnswer(exchange) : MediaTypes.negotiate(exchange.header("Accept"), Purpose.WATCH);
        ListOptions options = RequestOptions.list(exchange.query(), true, random);
        WatchSource source = source(request, storage, negotiated, options);
        if (negotiated.encoding() == Encoding.EVENT_STREAM) {
            eventStreams.serve(exchange, List.of(source), timeout(options), onEnd);
            return;
        }
        Watch watch = source.open(options);
        source.use(watch, 0, false);
        if (webSocket) {
            startWebSocket(exchange, source, timeout(options), onEnd);
        } else {
            exchange.onContext(() -> startChunks(exchange, negotiated, source, timeout(options), onEnd));
        }
    }

    /** A watched resource as a part of a stream. */
    WatchSource source(Request request, RestStorage.Watcher storage, Answer answer, ListOptions options) {
        IncludeObject include = IncludeObject.parse(request.query().first("includeObject"));
        RequestContext context = request.context();
        String name = request.info().name();
        return new WatchSource(
                from -> storage.watch(context, name, from),
                storage::currentResourceVersion,
                options,
                EventEncoder.of(storage.definition(), answer, include, clock));
    }

    private static Duration timeout(ListOptions options) {
        return Objects.requireNonNull(options.timeout(), "a watch has a timeout");
    }

    private static boolean wantsWebSocket(HttpServerRequest request) {
        String upgrade = request.getHeader("Upgrade");
        return upgrade != null && upgrade.toLowerCase(Locale.ROOT).equals("websocket");
    }

    /** WebSocket clients seldom say what they accept; what they say of anything else than JSON does not count. */
    private static Answer webSocketAnswer(Exchange exchange) {
        String accept = exchange.header("Accept");
        boolean table = accept != null && accept.contains("as=Table");
        return table ? new Answer(Encoding.JSON, Form.TABLE, "v1", false) : Answer.JSON;
    }

    private static void startChunks(
            Exchange exchange, Answer answer, WatchSource source, Duration timeout, Runnable onEnd) {
        if (!exchange.head(200, answer.contentType())) {
            source.close();
            return;
        }
        exchange.request().response().setChunked(true);
        var _ = exchange.request().response().writeHead();
        exchange.request().resume();
        var stream = new WatchStream(
                exchange.pulse(),
                new ResponseChannel(exchange.request().response()),
                List.of(source),
                false,
                failed -> false);
        run(exchange, stream, timeout, onEnd);
    }

    private static void startWebSocket(Exchange exchange, WatchSource source, Duration timeout, Runnable onEnd) {
        exchange.onContext(() -> {
            var _ = exchange.request().toWebSocket().onComplete(upgraded -> {
                if (upgraded.failed()) {
                    source.close();
                    return;
                }
                var stream = new WatchStream(
                        exchange.pulse(),
                        new WebSocketChannel(upgraded.result()),
                        List.of(source),
                        false,
                        failed -> false);
                run(exchange, stream, timeout, onEnd);
            });
        });
    }

    /** Runs a stream until its time is over. */
    static void run(Exchange exchange, WatchStream stream, Duration timeout, Runnable onEnd) {
        long timer = exchange.vertx().setTimer(Math.max(1, timeout.toMillis()), over -> stream.end());
        stream.atEnd(() -> exchange.vertx().cancelTimer(timer));
        stream.atEnd(onEnd);
        stream.start();
    }
}
