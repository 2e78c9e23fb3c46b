package io.keelson.server;

import io.keelson.endpoints.ApiHandler;
import io.keelson.endpoints.DocumentHandler;
import io.keelson.endpoints.HealthHandler;
import io.keelson.endpoints.MultiWatchHandler;
import io.keelson.endpoints.ResourceRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Puts the endpoints on the paths of the HTTP server. Static files, metrics and SmallRye's health are Quarkus' own. */
@ApplicationScoped
class HttpRoutes {
    /** How long at least a document about custom resources is kept that nobody asks for. */
    private static final Duration DOCUMENT_IDLE = Duration.ofMinutes(5);

    private final ApiServer server;
    private final KeelsonConfig config;
    private final MeterRegistry meters;
    private final String version;

    HttpRoutes(
            ApiServer server,
            KeelsonConfig config,
            MeterRegistry meters,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.server = server;
        this.config = config;
        this.meters = meters;
        this.version = version;
    }

    void install(@Observes Router router, Vertx vertx) {
        ResourceRegistry resources = server.resources();
        InstantSource clock = InstantSource.system();
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        Executor threads = task -> Thread.ofVirtual().start(task);
        var health = new HealthHandler(vertx, new HealthChecks(server, config)::allNow, threads);
        var documents = new DocumentHandler(
                vertx, resources::definitions, version, config.host() + ":" + config.port(), clock, threads);
        var _ = vertx.setPeriodic(DOCUMENT_IDLE.toMillis(), timer -> documents.dropUnused());
        var api = new ApiHandler(vertx, resources, new RequestMetrics(meters), clock, random, threads);
        var multiWatch = new MultiWatchHandler(vertx, resources, clock, random, threads);

        router.route().order(-100).handler(route -> {
            HttpServerRequest request = route.request();
            if (documents.refusesPathOf(request)) {
                return;
            }
            Handler<HttpServerRequest> handler = handler(request.path(), health, documents, api, multiWatch);
            if (handler == null) {
                route.next();
            } else {
                handler.handle(request);
            }
        });
        router.route().last().handler(route -> documents.notFound(route.request()));
    }

    private static @Nullable Handler<HttpServerRequest> handler(
            String path,
            HealthHandler health,
            DocumentHandler documents,
            ApiHandler api,
            MultiWatchHandler multiWatch) {
        if (path.startsWith("/api/") || path.startsWith("/apis/")) {
            return documents.serves(path) ? documents : api;
        }
        if (documents.serves(path)) {
            return documents;
        }
        if (path.equals("/watch")) {
            return multiWatch;
        }
        boolean checks = path.startsWith("/livez") || path.startsWith("/readyz") || path.startsWith("/healthz");
        return checks ? health : null;
    }
}
