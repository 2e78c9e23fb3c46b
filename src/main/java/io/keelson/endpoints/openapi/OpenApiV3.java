package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.registry.ResourceDefinition;
import io.keelson.schema.SchemaLibrary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes the OpenAPI 3 document of one group and version. Stateless. */
final class OpenApiV3 {
    private OpenApiV3() {}

    static ObjectNode document(List<ResourceDefinition> resources, SchemaLibrary library, String version) {
        var schemas = new Schemas(library);
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        OpenApiWords.putInfo(document, version);
        var items = new ArrayList<PathItem>();
        var paths = new Paths(schemas);
        resources.forEach(resource -> items.addAll(paths.of(resource)));
        items.sort(Comparator.comparing(PathItem::path));
        ObjectNode written = document.putObject("paths");
        items.forEach(item -> putItem(written.putObject(item.path()), item));
        ObjectNode components = document.putObject("components").putObject("schemas");
        schemas.of(resources).forEach(components::set);
        return document;
    }

    private static void putItem(ObjectNode node, PathItem item) {
        for (Operation operation : item.operations()) {
            putOperation(node.putObject(operation.method()), operation);
        }
        putParameters(node.putArray("parameters"), item.parameters());
    }

    private static void putOperation(ObjectNode node, Operation operation) {
        OpenApiWords.putOperation(node, operation);
        if (!operation.query().isEmpty()) {
            putParameters(node.putArray("parameters"), operation.query());
        }
        if (!operation.body().isEmpty()) {
            ObjectNode content = node.putObject("requestBody").putObject("content");
            for (String type : operation.consumes()) {
                putSchema(content, type, operation.body());
            }
        }
        ObjectNode responses = node.putObject("responses");
        for (int code : operation.codes()) {
            ObjectNode response = responses.putObject(Integer.toString(code));
            response.put("description", OpenApiWords.codeText(code));
            ObjectNode content = response.putObject("content");
            OpenApiWords.MEDIA_TYPES.forEach(type -> putSchema(content, type, operation.answer()));
            if (operation.list()) {
                putSchema(content, OpenApiWords.WATCH_MEDIA_TYPE, operation.answer());
            }
        }
        responses.putObject("401").put("description", OpenApiWords.codeText(401));
    }

    private static void putSchema(ObjectNode content, String mediaType, String schema) {
        content.putObject(mediaType).set("schema", SchemaLibrary.reference(schema));
    }

    private static void putParameters(ArrayNode array, List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            ObjectNode node = array.addObject().put("name", parameter.name()).put("in", parameter.in());
            if (parameter.required()) {
                node.put("required", true);
            }
            node.putObject("schema").put("type", parameter.type()).put("uniqueItems", true);
        }
    }
}
