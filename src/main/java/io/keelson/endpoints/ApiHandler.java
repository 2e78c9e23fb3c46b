package io.keelson.endpoints;

import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.endpoints.discovery.ApiSurface;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves the paths of resources. A request's body is gathered on its event loop; then its verb runs, in blocking style,
 * on a virtual thread of its own. How many run at once is bounded, watches aside; more are told to come back.
 */
public final class ApiHandler implements Handler<HttpServerRequest> {
    /** How many reads, and how many writes, run at once: kube-apiserver's own limits. */
    static final int MAX_READS_IN_FLIGHT = 400;

    static final int MAX_WRITES_IN_FLIGHT = 200;

    private static final Set<HttpMethod> BODILESS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final byte[] NO_BODY = {};

    private final Vertx vertx;
    private final ResourceRegistry resources;
    private final RequestObserver observer;
    private final InstantSource clock;
    private final Executor threads;
    private final Semaphore reads = new Semaphore(MAX_READS_IN_FLIGHT);
    private final Semaphore writes = new Semaphore(MAX_WRITES_IN_FLIGHT);
    private final GetVerb get;
    private final ListVerb list;
    private final CreateVerb create;
    private final UpdateVerb update;
    private final PatchVerb patch;
    private final DeleteVerb delete;
    private final WatchVerb watch;

    /** @param threads runs each task on a thread that may block, best a virtual one */
    public ApiHandler(
            Vertx vertx,
            ResourceRegistry resources,
            RequestObserver observer,
            InstantSource clock,
            RandomGenerator random,
            Executor threads) {
        this.vertx = vertx;
        this.resources = resources;
        this.observer = observer;
        this.clock = clock;
        this.threads = threads;
        this.get = new GetVerb(clock);
        this.list = new ListVerb(clock, random);
        this.create = new CreateVerb(get);
        this.update = new UpdateVerb(get);
        this.patch = new PatchVerb(get);
        this.delete = new DeleteVerb(get, list, random);
        this.watch = new WatchVerb(clock, random, threads);
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (!BODILESS.contains(request.method())) {
            BodyReader.read(vertx, request, (body, problem) -> start(request, body, problem));
        } else {
            start(request, NO_BODY, null);
        }
    }

    private void start(HttpServerRequest request, byte[] body, @Nullable RuntimeException problem) {
        long began = System.nanoTime();
        QueryParameters query;
        RequestInfo info;
        try {
            if (problem != null) {
                throw problem;
            }
            query = QueryParameters.parse(request.query());
            info = RequestInfo.parse(request.path());
        } catch (RuntimeException e) {
            new Exchange(vertx, request, QueryParameters.parse(null), body).fail(e);
            return;
        }
        var exchange = new Exchange(vertx, request, query, body);
        RestStorage storage = info == null ? null : resources.find(info);
        if (info == null || storage == null || !inScope(info, storage.definition())) {
            exchange.fail(notServed());
            return;
        }
        String verb = verb(exchange, info);
        if (!isReading(verb) && isReadOnly(info, storage.definition())) {
            exchange.fail(methodNotAllowed());
            return;
        }
        var served = new Request(exchange, info, storage, context(exchange, info));
        exchange.warnings(served.context().warnings());
        String deprecation = storage.definition().deprecation();
        if (!deprecation.isEmpty()) {
            served.context().warn(deprecation);
        }
        if (verb.equals("WATCH")) {
            startWatch(served, began);
            return;
        }
        Semaphore room = isReading(verb) ? reads : writes;
        if (!room.tryAcquire()) {
            exchange.fail(ApiException.of(
                    StatusReason.TOO_MANY_REQUESTS,
                    "Too many requests are in flight, please try again later.",
                    Status.Details.retryAfter(1)));
            return;
        }
        threads.execute(() -> {
            try {
                served.exchange().runGuarded(() -> dispatch(served, verb));
            } finally {
                room.release();
                observe(served, verb, exchange.code(), began);
            }
        });
    }

    private static boolean isReading(String verb) {
        return verb.equals("GET") || verb.equals("LIST") || verb.equals("WATCH");
    }

    /** Whether the path has a namespace where the resource's objects have one, and only there. */
    private static boolean inScope(RequestInfo info, ResourceDefinition definition) {
        return definition.namespaced()
                ? info.name().isEmpty() || !info.namespace().isEmpty()
                : info.namespace().isEmpty();
    }

    /** Whether the path reaches over all namespaces, or is one of the old ones of watches. */
    private static boolean isReadOnly(RequestInfo info, ResourceDefinition definition) {
        return info.watchPath() || (definition.namespaced() && info.namespace().isEmpty());
    }

    private void startWatch(Request request, long began) {
        request.exchange().request().pause();
        threads.execute(() -> request.exchange().runGuarded(() -> {
            if (!(request.storage() instanceof RestStorage.Watcher watcher)) {
                throw methodNotAllowed();
            }
            watch.serve(request, watcher, () -> observe(request, "WATCH", 200, began));
        }));
    }

    private RequestContext context(Exchange exchange, RequestInfo info) {
        boolean dryRun = !exchange.query().all("dryRun").isEmpty();
        String manager = WriteOptions.fieldManager(exchange.query(), exchange.header("User-Agent"));
        return new RequestContext(info.namespace(), manager, dryRun, clock.instant());
    }

    private static String verb(Exchange exchange, RequestInfo info) {
        return switch (exchange.method().name()) {
            case "GET", "HEAD" -> {
                boolean watching = info.watchPath() || isTrue(exchange.query().first("watch"));
                if (watching && info.subresource().isEmpty()) {
                    yield "WATCH";
                }
                yield info.name().isEmpty() ? "LIST" : "GET";
            }
            case "DELETE" -> info.name().isEmpty() ? "DELETECOLLECTION" : "DELETE";
            default -> exchange.method().name();
        };
    }

    private static boolean isTrue(@Nullable String value) {
        return value != null && !value.equals("false") && !value.equals("0") && !value.equals("False");
    }

    private void dispatch(Request request, String verb) {
        RestStorage storage = request.storage();
        boolean one = !request.info().name().isEmpty();
        if (!verb.equals("GET") && !verb.equals("LIST")) {
            RequestOptions.dryRun(request.query().all("dryRun"), optionsKind(verb));
        }
        if (storage instanceof RestStorage.Connecter connecter) {
            connect(request, connecter);
            return;
        }
        switch (verb) {
            case "GET" -> get.serve(request, as(RestStorage.Getter.class, storage));
            case "LIST" -> list.serve(request, as(RestStorage.Lister.class, storage));
            case "POST" -> {
                boolean named = one && request.info().subresource().isEmpty();
                if (named) {
                    throw methodNotAllowed();
                }
                if (storage instanceof RestStorage.Performer performer) {
                    create.serve(request, performer);
                } else {
                    create.serve(request, as(RestStorage.Creater.class, storage));
                }
            }
            case "PUT" -> update.serve(request, as(RestStorage.Updater.class, requireName(one, storage)));
            case "PATCH" -> {
                var _ = as(RestStorage.Getter.class, requireName(one, storage));
                patch.serve(request, as(RestStorage.Updater.class, storage));
            }
            case "DELETE" -> delete.serve(request, as(RestStorage.GracefulDeleter.class, storage));
            case "DELETECOLLECTION" -> {
                if (!ApiSurface.verbs(storage.definition()).contains("deletecollection")) {
                    throw methodNotAllowed();
                }
                delete.serveCollection(request, as(RestStorage.CollectionDeleter.class, storage));
            }
            default -> throw methodNotAllowed();
        }
    }

    private static void connect(Request request, RestStorage.Connecter storage) {
        if (!storage.methods().contains(request.exchange().method().name())) {
            throw methodNotAllowed();
        }
        storage.connect(request.context(), request.info().name());
    }

    private static String optionsKind(String verb) {
        return switch (verb) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            case "PATCH" -> "PatchOptions";
            default -> "DeleteOptions";
        };
    }

    private static RestStorage requireName(boolean named, RestStorage storage) {
        if (!named) {
            throw methodNotAllowed();
        }
        return storage;
    }

    private static <T extends RestStorage> T as(Class<T> verb, RestStorage storage) {
        if (verb.isInstance(storage)) {
            return verb.cast(storage);
        }
        throw methodNotAllowed();
    }

    private static ApiException methodNotAllowed() {
        return ApiException.of(
                StatusReason.METHOD_NOT_ALLOWED,
                "the server does not allow this method on the requested resource",
                Status.Details.causes(List.of()));
    }

    private static ApiException notServed() {
        return ApiException.of(
                StatusReason.NOT_FOUND,
                "the server could not find the requested resource",
                Status.Details.causes(List.of()));
    }

    private void observe(Request request, String verb, int code, long began) {
        RequestInfo info = request.info();
        String scope = !info.name().isEmpty() ? "resource" : info.namespace().isEmpty() ? "cluster" : "namespace";
        observer.observe(new RequestObserver.Observation(
                verb,
                info.group(),
                info.version(),
                info.resource(),
                info.subresource(),
                scope,
                code,
                System.nanoTime() - began));
    }
}
