package io.keelson.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * A conversion webhook over TLS. What version 1 calls {@code spec.host} is {@code spec.hostname} in version 2; who is told so
 * answers in other ways. Remembers how many objects each request had.
 */
public final class ConversionServer implements AutoCloseable {
    private final TestCertificates certificates;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Integer> requests = new CopyOnWriteArrayList<>();
    private volatile UnaryOperator<JsonNode> answer = ConversionServer::answer;

    private ConversionServer(TestCertificates certificates, HttpsServer server) {
        this.certificates = certificates;
        this.server = server;
    }

    /** @param folder for the certificates; empty */
    public static ConversionServer start(Path folder) {
        try {
            var certificates = TestCertificates.create(folder);
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var webhook = new ConversionServer(certificates, server);
            server.setHttpsConfigurator(new HttpsConfigurator(certificates.serverContext()));
            server.setExecutor(webhook.threads);
            server.createContext("/convert", webhook::handle);
            server.start();
            return webhook;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://localhost:" + server.getAddress().getPort() + "/convert";
    }

    /** The JSON of {@code spec.conversion} of a definition. */
    public String conversion() {
        return "{\"strategy\":\"Webhook\",\"webhook\":" + webhook() + "}";
    }

    public String webhook() {
        return "{\"conversionReviewVersions\":[\"v1\"],\"clientConfig\":{\"url\":\"" + url() + "\",\"caBundle\":\""
                + certificates.caBundle() + "\"}}";
    }

    /** Changes the answers from now on; the function gets the proper one. */
    public void answerOtherwise(UnaryOperator<JsonNode> change) {
        answer = review -> change.apply(answer(review));
    }

    /** How many objects each request had, in the order of their coming. */
    public List<Integer> requests() {
        return List.copyOf(requests);
    }

    public void forgetRequests() {
        requests.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode review = ApiClient.JSON.readTree(exchange.getRequestBody());
            requests.add(review.at("/request/objects").size());
            byte[] body = ApiClient.JSON.writeValueAsBytes(answer.apply(review));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static JsonNode answer(JsonNode review) {
        ObjectNode answer = ApiClient.JSON.createObjectNode();
        answer.set("apiVersion", review.path("apiVersion"));
        answer.put("kind", "ConversionReview");
        ObjectNode response = answer.putObject("response");
        response.set("uid", review.at("/request/uid"));
        response.putObject("result").put("status", "Success");
        String desired = review.at("/request/desiredAPIVersion").asText();
        var converted = response.putArray("convertedObjects");
        for (JsonNode object : review.at("/request/objects")) {
            converted.add(convert(object.deepCopy(), desired));
        }
        return answer;
    }

    private static ObjectNode convert(ObjectNode object, String desired) {
        boolean first = desired.endsWith("/v1");
        String from = first ? "hostname" : "host";
        if (object.get("spec") instanceof ObjectNode spec && spec.has(from)) {
            spec.set(first ? "host" : "hostname", spec.remove(from));
        }
        return object.put("apiVersion", desired);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
