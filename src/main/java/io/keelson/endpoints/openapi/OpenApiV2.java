package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.registry.ResourceDefinition;
import io.keelson.schema.SchemaLibrary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes the OpenAPI 2 document of all that is served. Stateless. */
final class OpenApiV2 {
    private static final String REFERENCE = "#/definitions/";

    private OpenApiV2() {}

    static ObjectNode document(List<ResourceDefinition> resources, SchemaLibrary library, String version) {
        var schemas = new Schemas(library);
        ObjectNode document = Json.object().put("swagger", "2.0");
        OpenApiWords.putInfo(document, version);
        var items = new ArrayList<PathItem>();
        var paths = new Paths(schemas);
        resources.forEach(resource -> items.addAll(paths.of(resource)));
        items.sort(Comparator.comparing(PathItem::path));
        ObjectNode written = document.putObject("paths");
        items.forEach(item -> putItem(written.putObject(item.path()), item));
        ObjectNode definitions = document.putObject("definitions");
        schemas.of(resources).forEach((name, schema) -> definitions.set(name, convert(schema)));
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
        OpenApiWords.putStrings(node.putArray("consumes"), operation.consumes());
        ArrayNode produces = node.putArray("produces");
        OpenApiWords.putStrings(produces, OpenApiWords.MEDIA_TYPES);
        if (operation.list()) {
            produces.add(OpenApiWords.WATCH_MEDIA_TYPE);
        }
        node.putArray("schemes").add("https");
        ArrayNode parameters = node.putArray("parameters");
        if (!operation.body().isEmpty()) {
            ObjectNode body = parameters.addObject().put("name", "body").put("in", "body");
            if (!operation.method().equals("delete")) {
                body.put("required", true);
            }
            body.set("schema", reference(operation.body()));
        }
        putParameters(parameters, operation.query());
        ObjectNode responses = node.putObject("responses");
        for (int code : operation.codes()) {
            responses
                    .putObject(Integer.toString(code))
                    .put("description", OpenApiWords.codeText(code))
                    .set("schema", reference(operation.answer()));
        }
        responses.putObject("401").put("description", OpenApiWords.codeText(401));
    }

    private static void putParameters(ArrayNode array, List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            ObjectNode node = array.addObject().put("name", parameter.name()).put("in", parameter.in());
            if (parameter.required()) {
                node.put("required", true);
            }
            node.put("type", parameter.type()).put("uniqueItems", true);
        }
    }

    private static ObjectNode reference(String name) {
        return Json.object().put("$ref", REFERENCE + name);
    }

    /**
     * Puts a schema into the words of OpenAPI 2: it knows no alternatives, references stand alone but for extensions, and
     * no defaults are told, since its readers take a field with a default for one that is sent. A schema that allows unknown
     * fields names none, since its readers refuse all others then.
     */
    private static ObjectNode convert(JsonNode schema) {
        ObjectNode to = Json.object();
        boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        for (var field : schema.properties()) {
            JsonNode value = field.getValue();
            if (open && field.getKey().equals("properties")) {
                continue;
            }
            switch (field.getKey()) {
                case "default", "anyOf", "not", "nullable" -> {}
                case "oneOf" -> to.put("type", schema.path("type").asText("string"));
                case "$ref" -> to.put("$ref", REFERENCE + SchemaLibrary.referenced(value.asText()));
                case "allOf" -> {
                    if (value.path(0).has("$ref")) {
                        to.setAll(convert(value.get(0)));
                    }
                }
                case "properties" -> {
                    ObjectNode properties = to.putObject("properties");
                    value.properties()
                            .forEach(property -> properties.set(property.getKey(), convert(property.getValue())));
                }
                case "items", "additionalProperties" ->
                    to.set(field.getKey(), value.isObject() ? convert(value) : value);
                default -> to.set(field.getKey(), value);
            }
        }
        return to;
    }
}
