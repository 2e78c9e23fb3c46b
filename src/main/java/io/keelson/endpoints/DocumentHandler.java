package io.keelson.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.endpoints.discovery.Discovery;
import io.keelson.endpoints.openapi.OpenApi;
import io.keelson.endpoints.output.Document;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.ResourceDefinition;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves what describes the API: discovery, OpenAPI and the version. Documents have an ETag and may be sent gzipped. */
public final class DocumentHandler implements Handler<HttpServerRequest> {
    /** The version of Kubernetes whose API this server follows. */
    private static final String KUBERNETES_MAJOR = "1";

    private static final String KUBERNETES_MINOR = "36";

    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private static final String OPENAPI_V3 = "/openapi/v3/";

    private final Vertx vertx;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final String version;
    private final InstantSource clock;
    private final Executor threads;

    public DocumentHandler(
            Vertx vertx,
            Supplier<List<ResourceDefinition>> resources,
            String version,
            String address,
            InstantSource clock,
            Executor threads) {
        this.vertx = vertx;
        this.discovery = new Discovery(resources, address);
        this.openApi = new OpenApi(resources, version);
        this.version = version;
        this.clock = clock;
        this.threads = threads;
    }

    /** Drops the documents about custom resources that nobody has asked for since the last call. */
    public void dropUnused() {
        openApi.dropUnused();
    }

    /** Whether a path is a document's: one of the API's roots, groups and versions, or one of the description's own. */
    public boolean serves(String path) {
        if (path.startsWith("/apis/") || path.startsWith("/api/")) {
            String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            long slashes = bare.chars().filter(c -> c == '/').count();
            return slashes <= (path.startsWith("/api/") ? 2 : 3);
        }
        return path.equals("/api")
                || path.equals("/apis")
                || path.equals("/version")
                || path.equals("/version/")
                || path.startsWith("/openapi/");
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

    /** Answers a path that nothing serves. */
    public void notFound(HttpServerRequest request) {
        new Exchange(vertx, request, QueryParameters.parse(null), new byte[0]).fail(unknown());
    }

    /**
     * Answers a request whose path has a broken escape, which no route can read. Returns whether it did.
     */
    public boolean refusesPathOf(HttpServerRequest request) {
        try {
            RequestInfo.checkEscapes(request.path());
            return false;
        } catch (ApiException e) {
            new Exchange(vertx, request, QueryParameters.parse(null), new byte[0]).fail(e);
            return true;
        }
    }

    private void serve(Exchange exchange) {
        if (!exchange.method().equals(HttpMethod.GET) && !exchange.method().equals(HttpMethod.HEAD)) {
            throw ApiException.of(
                    StatusReason.METHOD_NOT_ALLOWED,
                    "the server does not allow this method on the requested resource",
                    Status.Details.causes(List.of()));
        }
        String path = exchange.request().path();
        if (path.startsWith("/version")) {
            exchange.sendTree(200, Encoding.JSON, versionInfo());
            return;
        }
        Document document = find(path, exchange.header("Accept"));
        if (document == null) {
            throw unknown();
        }
        if (!path.startsWith(OPENAPI_V3) || settlesHash(exchange, document)) {
            send(exchange, document);
        }
    }

    /**
     * Lets caches keep a document for good that was asked for by its hash, and sends whom has an older hash to the present
     * one. Returns whether the document is to be sent.
     */
    private boolean settlesHash(Exchange exchange, Document document) {
        String hash = exchange.query().text("hash");
        if (hash.isEmpty()) {
            return true;
        }
        var response = exchange.request().response();
        if (!hash.equals(document.hash())) {
            response.putHeader("Location", exchange.request().path() + "?hash=" + document.hash());
            exchange.send(301, "text/plain; charset=utf-8", new byte[0]);
            return false;
        }
        response.putHeader("Cache-Control", "public, immutable");
        response.putHeader(
                "Expires",
                HTTP_DATE.format(clock.instant().atOffset(ZoneOffset.UTC).plusYears(1)));
        return true;
    }

    private @Nullable Document find(String path, @Nullable String accept) {
        if (path.equals("/openapi/v2")) {
            return openApi.v2(accept);
        }
        if (path.equals("/openapi/v3")) {
            return openApi.index();
        }
        if (path.startsWith(OPENAPI_V3)) {
            return openApi.v3(path.substring(OPENAPI_V3.length()));
        }
        return discovery.find(path, accept);
    }

    private static void send(Exchange exchange, Document document) {
        var response = exchange.request().response();
        response.putHeader("ETag", document.etag());
        response.putHeader("Vary", "Accept");
        String known = exchange.header("If-None-Match");
        if (known != null && document.matches(known)) {
            response.setStatusCode(304).end();
            return;
        }
        String encodings = exchange.header("Accept-Encoding");
        if (encodings != null && encodings.contains("gzip")) {
            response.putHeader("Content-Encoding", "gzip");
            exchange.send(200, document.contentType(), document.gzip());
        } else if (document.contentType().equals("application/json") && exchange.pretty()) {
            exchange.sendJson(200, MediaTypes.negotiate(null, Purpose.DOCUMENT).encoding(), document.content());
        } else {
            exchange.send(200, document.contentType(), document.content());
        }
    }

    private ObjectNode versionInfo() {
        var info = Json.object();
        info.put("major", KUBERNETES_MAJOR).put("minor", KUBERNETES_MINOR);
        info.put("gitVersion", "v" + KUBERNETES_MAJOR + "." + KUBERNETES_MINOR + ".0+keelson-" + version);
        info.put("gitCommit", "").put("gitTreeState", "").put("buildDate", "");
        info.put("goVersion", "").put("compiler", "javac");
        info.put(
                "platform",
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT) + "/" + System.getProperty("os.arch"));
        return info;
    }

    private static ApiException unknown() {
        return ApiException.of(
                StatusReason.NOT_FOUND,
                "the server could not find the requested resource",
                Status.Details.causes(List.of()));
    }
}
