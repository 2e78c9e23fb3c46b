package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.apiextensions.conversion.ConversionReview.BadAnswerException;
import io.keelson.resources.fields.Trees;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The strategy {@code Webhook}: asks a server that the definition names, over TLS, with {@code ConversionReview}. Objects that
 * are given together are sent in one request. Thread-safe; blocks.
 */
public final class ConversionWebhook implements VersionConverter {
    /** How long an answer may take: that of kube-apiserver. */
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The longest answer, in bytes. */
    private static final int MAX_ANSWER = 64 * 1024 * 1024;

    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

    private final JsonNode client;
    private final String reviewVersion;
    private final TlsClient tls;
    private final Duration timeout;

    /** @param webhook {@code spec.conversion.webhook} of a definition */
    public ConversionWebhook(JsonNode webhook) {
        this(webhook, TIMEOUT);
    }

    ConversionWebhook(JsonNode webhook, Duration timeout) {
        this.client = webhook.path("clientConfig");
        this.reviewVersion = Trees.texts(webhook.path("conversionReviewVersions")).stream()
                .filter(REVIEW_VERSIONS::contains)
                .findFirst()
                .orElse("v1");
        this.tls = new TlsClient(client.path("caBundle").asText());
        this.timeout = timeout;
    }

    @Override
    public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
        var review = new ConversionReview(
                "apiextensions.k8s.io/" + reviewVersion, UUID.randomUUID().toString(), objects, apiVersion);
        try {
            return review.converted(answer(review.question()));
        } catch (BadAnswerException e) {
            ObjectNode first = objects.getFirst();
            String kind = ConversionReview.named(
                    first.path("apiVersion").asText(), first.path("kind").asText());
            throw new ApiException(new Status(500, null, "conversion webhook for " + kind + e.getMessage(), null));
        }
    }

    private byte[] answer(byte[] question) {
        String where = address();
        CompletableFuture<HttpResponse<byte[]>> sent;
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(where))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(question))
                    .build();
            HttpClient http = tls.http();
            sent = http.sendAsync(
                    request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_ANSWER));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw failed(where, String.valueOf(e.getMessage()));
        }
        try {
            HttpResponse<byte[]> response = sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (response.statusCode() / 100 != 2) {
                throw failed(where, "the server answered with the status " + response.statusCode());
            }
            return response.body();
        } catch (TimeoutException e) {
            throw failed(where, "no answer within " + timeout.toMillis() / 1000.0 + " s");
        } catch (ExecutionException e) {
            throw failed(where, words(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(where, "interrupted");
        } finally {
            sent.cancel(true);
        }
    }

    private static BadAnswerException failed(String where, String why) {
        return new BadAnswerException(" failed: Post \"" + where + "\": " + why);
    }

    /** Some faults of a connection have a name and nothing to say. */
    private static String words(Throwable fault) {
        String message = fault.getMessage();
        if (fault instanceof ConnectException) {
            return "the server cannot be reached" + (message == null ? "" : ": " + message);
        }
        return message == null ? fault.getClass().getSimpleName() : message;
    }

    /** A service is reached by the name that it has within a cluster. */
    String address() {
        JsonNode service = client.path("service");
        if (!service.isObject()) {
            return client.path("url").asText();
        }
        String path = service.path("path").asText();
        return "https://" + service.path("name").asText() + "."
                + service.path("namespace").asText() + ".svc:"
                + service.path("port").asInt(443)
                + (path.isEmpty() || path.startsWith("/") ? path : "/" + path);
    }
}
