package io.keelson.endpoints;

import io.keelson.endpoints.HealthCheck.Outcome;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * {@code /livez}, {@code /readyz} and {@code /healthz} in Kubernetes' form: {@code ok} or what failed, with
 * {@code ?verbose} every check, {@code /readyz/NAME} one of them and {@code ?exclude=NAME} all but some. 503 where a
 * check failed.
 */
public final class HealthHandler implements Handler<HttpServerRequest> {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Vertx vertx;
    private final Supplier<List<HealthCheck>> checks;
    private final Executor threads;

    public HealthHandler(Vertx vertx, Supplier<List<HealthCheck>> checks, Executor threads) {
        this.vertx = vertx;
        this.checks = checks;
        this.threads = threads;
    }

    @Override
    public void handle(HttpServerRequest request) {
        QueryParameters query;
        try {
            query = QueryParameters.parse(request.query());
        } catch (RuntimeException e) {
            new Exchange(vertx, request, QueryParameters.parse(null), new byte[0]).fail(e);
            return;
        }
        var exchange = new Exchange(vertx, request, query, new byte[0]);
        threads.execute(() -> exchange.runGuarded(() -> serve(exchange)));
    }

    private void serve(Exchange exchange) {
        String[] path = exchange.request().path().split("/", 3);
        String kind = path[1];
        String only = path.length > 2 ? path[2] : "";
        List<String> excluded = exchange.query().all("exclude");
        boolean verbose = exchange.query().first("verbose") != null;
        var report = new StringBuilder();
        boolean failed = false;
        boolean found = only.isEmpty();
        for (HealthCheck check : checks.get()) {
            boolean counts = !kind.equals("livez") || check.live();
            if (!counts || (!only.isEmpty() && !check.name().equals(only))) {
                continue;
            }
            found = true;
            if (excluded.contains(check.name())) {
                report.append("[+]").append(check.name()).append(" excluded: ok\n");
                continue;
            }
            HealthCheck.Result result = check.look().get();
            failed |= result.outcome() == Outcome.FAILED;
            append(report, check.name(), result);
        }
        if (!found) {
            exchange.send(404, TEXT, bytes("there is no check " + only + "; " + kind + "?verbose lists them\n"));
        } else if (failed) {
            exchange.send(503, TEXT, bytes(report + kind + " check failed\n"));
        } else {
            exchange.send(200, TEXT, bytes(verbose ? report + kind + " check passed\n" : "ok"));
        }
    }

    private static void append(StringBuilder report, String name, HealthCheck.Result result) {
        report.append(result.outcome() == Outcome.FAILED ? "[-]" : "[+]").append(name);
        switch (result.outcome()) {
            case OK -> report.append(" ok");
            case DEGRADED -> report.append(" degraded: ").append(result.reason());
            case FAILED -> report.append(" failed: ").append(result.reason());
        }
        if (!result.data().isEmpty()) {
            report.append(' ').append(result.data());
        }
        report.append('\n');
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
