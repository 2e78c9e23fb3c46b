package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import java.util.List;

/** What both versions of OpenAPI write alike. Stateless. */
final class OpenApiWords {
    static final List<String> MEDIA_TYPES = List.of("application/json", "application/yaml");
    static final String WATCH_MEDIA_TYPE = "application/json;stream=watch";

    private OpenApiWords() {}

    /** Begins an operation: its tag, its id, and what Kubernetes' clients look for. */
    static void putOperation(ObjectNode node, Operation operation) {
        node.putArray("tags").add(operation.tag());
        node.put("operationId", operation.id());
        node.put("x-kubernetes-action", operation.action());
        GroupVersionKind kind = operation.kind();
        node.putObject("x-kubernetes-group-version-kind")
                .put("group", kind.group())
                .put("kind", kind.kind())
                .put("version", kind.version());
    }

    static void putInfo(ObjectNode document, String version) {
        document.putObject("info").put("title", "Kubernetes").put("version", version);
    }

    static String codeText(int code) {
        return switch (code) {
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 401 -> "Unauthorized";
            default -> "OK";
        };
    }

    static void putStrings(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
