package io.keelson.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;

/** The published definitions on one server. */
record InstalledDefinitions(ApiClient api) {
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Installs what another test may have installed, and waits until it is served. */
    JsonNode install(PublishedDefinition definition) {
        if (api.get(PATH + definition.metadataName()).code() == 404) {
            api.send("POST", PATH, definition.yaml(), "Content-Type", "application/yaml")
                    .succeeded();
        }
        return awaitEstablished(definition);
    }

    JsonNode awaitEstablished(PublishedDefinition definition) {
        return Awaitility.await(definition.metadataName())
                .pollInterval(Duration.ofMillis(20))
                .atMost(TIMEOUT)
                .until(
                        () -> api.get(PATH + definition.metadataName())
                                .succeeded()
                                .json(),
                        crd -> "True".equals(conditions(crd).get("Established")));
    }

    /** Removes those that are there, and waits until they are gone. */
    void remove(PublishedDefinition... definitions) {
        for (PublishedDefinition definition : definitions) {
            api.delete(PATH + definition.metadataName());
        }
        for (PublishedDefinition definition : definitions) {
            Awaitility.await(definition.metadataName())
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(TIMEOUT)
                    .until(() -> api.get(PATH + definition.metadataName()).code() == 404);
        }
    }

    static Map<String, String> conditions(JsonNode crd) {
        var conditions = new HashMap<String, String>();
        crd.at("/status/conditions")
                .forEach(each -> conditions.put(
                        each.path("type").asText(), each.path("status").asText()));
        return conditions;
    }
}
