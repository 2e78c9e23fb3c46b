package io.keelson.apiextensions.definition;

import static io.keelson.apiextensions.definition.SchemaRules.at;
import static io.keelson.apiextensions.definition.SchemaRules.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.FieldError;
import io.keelson.apiextensions.cel.RuleCheck;
import io.keelson.apiextensions.structural.Path;
import io.keelson.resources.fields.Faults;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The rules of one version of a custom resource: its schema, subresources, columns and selectable fields. */
final class VersionRules {
    private static final int MAX_SELECTABLE_FIELDS = 8;

    /** The longest warning, in characters. */
    private static final int MAX_WARNING = 256;

    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

    /** What the schema of a resource with a status subresource may say at its root. */
    private static final Set<String> ROOT_WORDS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");

    private static final String ROOT_WORDS_SHOWN = "[Description Type Format Title Maximum ExclusiveMaximum Minimum"
            + " ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items"
            + " Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

    private final Faults faults;

    VersionRules(Faults faults) {
        this.faults = faults;
    }

    void deprecation(JsonNode version, Path path) {
        JsonNode warning = version.path("deprecationWarning");
        if (warning.isMissingNode()) {
            return;
        }
        String text = warning.asText();
        String field = path.child("deprecationWarning").toString();
        if (!version.path("deprecated").asBoolean()) {
            faults.invalid(field, text, "can only be set for deprecated versions");
        }
        if (text.isEmpty()) {
            faults.invalid(field, text, "must not be an empty string");
        }
        if (text.codePointCount(0, text.length()) > MAX_WARNING) {
            faults.invalid(field, text, "must not be more than " + MAX_WARNING + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                faults.invalid(
                        field,
                        text,
                        "must only contain printable UTF-8 characters; non-printable character found at index " + i);
                return;
            }
        }
    }

    void schema(JsonNode version, Path path, boolean status) {
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        Path place = path.child("openAPIV3Schema");
        if (!schema.isObject()) {
            return;
        }
        if (status) {
            rootWords(schema, place);
        }
        if (schema.path("nullable").asBoolean()) {
            faults.forbidden(at(place, "nullable"), "nullable cannot be true at the root");
        }
        int before = faults.list().size();
        new SchemaRules(faults).judge(schema, place);
        var structural = new Faults();
        new StructuralRules(structural).judge(schema, place);
        faults.list().addAll(structural.list());
        if (structural.none()) {
            var defaults = new Faults();
            new DefaultRules(defaults).judge(schema, place);
            faults.list().addAll(defaults.list());
        }
        if (faults.list().size() == before) {
            faults.list().addAll(RuleCheck.validate(schema, place));
        }
    }

    private void rootWords(JsonNode schema, Path place) {
        if (schema.has("type") && !text(schema, "type").equals("object")) {
            faults.invalid(
                    at(place, "type"),
                    text(schema, "type"),
                    "only \"object\" is allowed as the type at the root of the schema if the status subresource is"
                            + " enabled");
            return;
        }
        for (var word : schema.properties()) {
            if (!ROOT_WORDS.contains(word.getKey()) && !word.getValue().isNull()) {
                faults.invalid(
                        place.toString(),
                        schema,
                        "only " + ROOT_WORDS_SHOWN
                                + " fields are allowed at the root of the schema if the status subresource is enabled");
                return;
            }
        }
    }

    void subresources(JsonNode version, Path path) {
        JsonNode scale = version.path("subresources").path("scale");
        if (!scale.isObject()) {
            return;
        }
        scalePath(scale, path, "specReplicasPath", true, "should be a json path under .spec", ".spec.");
        scalePath(scale, path, "statusReplicasPath", true, "should be a json path under .status", ".status.");
        scalePath(
                scale,
                path,
                "labelSelectorPath",
                false,
                "should be a json path under either .spec or .status",
                ".spec.",
                ".status.");
    }

    private void scalePath(JsonNode scale, Path path, String name, boolean required, String words, String... prefixes) {
        String given = text(scale, name);
        String field = at(path, "scale." + name);
        if (given.isEmpty()) {
            if (required) {
                faults.required(field, "");
            }
            return;
        }
        if (simplePath(given, field) && List.of(prefixes).stream().noneMatch(given::startsWith)) {
            faults.invalid(field, given, words);
        }
    }

    private boolean simplePath(String given, String field) {
        if (given.isEmpty()) {
            faults.required(field, "");
            return false;
        }
        if (given.charAt(0) != '.') {
            faults.invalid(field, given, "must be a simple json path starting with .");
            return false;
        }
        return true;
    }

    void columns(JsonNode version, Path path) {
        JsonNode columns = version.path("additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            JsonNode column = columns.path(i);
            Path place = path.index(i);
            faults.present(at(place, "name"), column.path("name"));
            String types = "must be one of " + String.join(",", COLUMN_TYPES);
            if (text(column, "type").isEmpty()) {
                faults.required(at(place, "type"), types);
            } else if (!COLUMN_TYPES.contains(text(column, "type"))) {
                faults.invalid(at(place, "type"), text(column, "type"), types);
            }
            String format = text(column, "format");
            if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
                faults.invalid(at(place, "format"), format, "must be one of " + String.join(",", COLUMN_FORMATS));
            }
            simplePath(text(column, "jsonPath"), at(place, "JSONPath"));
        }
    }

    void selectableFields(JsonNode version, Path path) {
        JsonNode fields = version.path("selectableFields");
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String given = text(fields.path(i), "jsonPath");
            String field = at(path.index(i), "jsonPath");
            if (given.isEmpty()) {
                faults.required(field, "");
                continue;
            }
            selectable(given, schema, field);
            if (!seen.add(given)) {
                faults.duplicate(field, given);
            }
        }
        if (new TreeSet<>(seen).size() > MAX_SELECTABLE_FIELDS) {
            faults.list().add(FieldError.tooMany(path.toString(), seen.size(), MAX_SELECTABLE_FIELDS));
        }
    }

    private void selectable(String given, JsonNode schema, String field) {
        if (given.charAt(0) != '.') {
            faults.invalid(field, given, "is an invalid path: expected '.' at the start of the path");
            return;
        }
        JsonNode here = schema;
        String[] steps = given.substring(1).split("\\.", -1);
        for (String step : steps) {
            here = here.path("properties").path(step);
            if (here.isMissingNode()) {
                faults.invalid(field, given, "is an invalid path: does not refer to a valid field");
                return;
            }
        }
        if (steps[0].equals("metadata")) {
            faults.invalid(field, given, "must not point to fields in metadata");
        }
        if (!List.of("string", "boolean", "integer").contains(text(here, "type"))) {
            faults.invalid(
                    field,
                    given,
                    "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                            + " formats are allowed.");
        }
    }
}
