package io.keelson.endpoints;

import io.keelson.api.ApiException;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.Form;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * {@code GET /watch?resource=PATH&resource=PATH}: several resources on one stream of server-sent events, since browsers
 * keep at most six connections to a host. Each PATH is the escaped path of a collection, with a query of its own where it
 * selects.
 */
public final class MultiWatchHandler implements Handler<HttpServerRequest> {
    /** How many resources one stream may carry. */
    static final int MAX_RESOURCES = 50;

    private final Vertx vertx;
    private final ResourceRegistry resources;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Executor threads;
    private final WatchVerb watches;

    public MultiWatchHandler(
            Vertx vertx, ResourceRegistry resources, InstantSource clock, RandomGenerator random, Executor threads) {
        this.vertx = vertx;
        this.resources = resources;
        this.clock = clock;
        this.random = random;
        this.threads = threads;
        this.watches = new WatchVerb(clock, random, threads);
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.pause();
        QueryParameters query;
        try {
            query = QueryParameters.parse(request.query());
        } catch (ApiException e) {
            new Exchange(vertx, request, QueryParameters.parse(null), new byte[0]).fail(e);
            return;
        }
        var exchange = new Exchange(vertx, request, query, new byte[0]);
        threads.execute(() -> exchange.runGuarded(() -> serve(exchange)));
    }

    private void serve(Exchange exchange) {
        List<String> paths = exchange.query().all("resource");
        if (paths.isEmpty() || paths.size() > MAX_RESOURCES) {
            throw ApiException.badRequest("give 1 to " + MAX_RESOURCES
                    + " parameters resource=PATH, such as resource=/api/v1/configmaps, each escaped as a whole");
        }
        var sources = new ArrayList<WatchSource>();
        for (String path : paths) {
            sources.add(source(exchange, path));
        }
        Duration timeout = sources.getFirst().options().timeout();
        watches.eventStreams().serve(exchange, sources, timeout == null ? Duration.ofHours(1) : timeout, () -> {});
    }

    private WatchSource source(Exchange exchange, String path) {
        int mark = path.indexOf('?');
        RequestInfo info = RequestInfo.parse(mark < 0 ? path : path.substring(0, mark));
        RestStorage storage = info == null ? null : resources.find(info);
        if (info == null || !(storage instanceof RestStorage.Watcher watcher)) {
            throw ApiException.badRequest("resource=" + path + " is no path of a collection that can be watched");
        }
        QueryParameters query = QueryParameters.parse(mark < 0 ? null : path.substring(mark + 1));
        var context = new RequestContext(info.namespace(), "", false, clock.instant());
        var request = new Request(exchange, info, watcher, context);
        return watches.source(
                request,
                watcher,
                new Answer(Encoding.EVENT_STREAM, Form.PLAIN, "v1", false),
                RequestOptions.list(query, true, random));
    }
}
