package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The rules that the metadata of every object keeps, whatever its kind. Stateless. */
final class MetadataRules {
    /** The most that all annotations of an object may take, keys and values, in bytes. */
    static final int MAX_ANNOTATIONS_BYTES = 256 * 1024;

    /** Finalizers that need no domain. */
    private static final Set<String> STANDARD_FINALIZERS =
            Set.of("kubernetes", PropagationPolicy.ORPHAN_FINALIZER, PropagationPolicy.FOREGROUND_FINALIZER);

    private MetadataRules() {}

    static List<FieldError> validate(ObjectNode metadata, ResourceDefinition definition) {
        var errors = new ArrayList<FieldError>();
        validateNames(metadata, definition, errors);
        validateStrings(metadata.path("labels"), "metadata.labels", Names::labelValue, errors);
        validateStrings(metadata.path("annotations"), "metadata.annotations", value -> List.of(), errors);
        validateAnnotationSize(metadata.path("annotations"), errors);
        validateFinalizers(metadata.path("finalizers"), namesDomains(definition), errors);
        validateOwners(metadata.path("ownerReferences"), errors);
        if (metadata.path("generation").asLong() < 0) {
            errors.add(FieldError.invalid(
                    "metadata.generation", metadata.get("generation"), "must be greater than or equal to 0"));
        }
        return errors;
    }

    private static void validateNames(ObjectNode metadata, ResourceDefinition definition, List<FieldError> errors) {
        String name = metadata.path("name").asText();
        String generateName = metadata.path("generateName").asText();
        if (!generateName.isEmpty()) {
            // What is generated ends with letters, so the prefix may end with a dash.
            definition
                    .nameRule()
                    .apply(generateName.replaceAll("-$", "a"))
                    .forEach(fault -> errors.add(FieldError.invalid("metadata.generateName", generateName, fault)));
        }
        if (name.isEmpty()) {
            errors.add(FieldError.required("metadata.name", "name or generateName is required"));
        } else {
            definition
                    .nameRule()
                    .apply(name)
                    .forEach(fault -> errors.add(FieldError.invalid("metadata.name", name, fault)));
        }
        String namespace = metadata.path("namespace").asText();
        if (definition.namespaced()) {
            if (namespace.isEmpty()) {
                errors.add(FieldError.required("metadata.namespace", ""));
            } else {
                Names.label(namespace)
                        .forEach(fault -> errors.add(FieldError.invalid("metadata.namespace", namespace, fault)));
            }
        } else if (!namespace.isEmpty()) {
            errors.add(FieldError.forbidden("metadata.namespace", "not allowed on this type"));
        }
    }

    private static void validateStrings(
            JsonNode strings, String path, Function<String, List<String>> valueRule, List<FieldError> errors) {
        for (var entry : strings.properties()) {
            // Annotation keys may be written in capitals; their form is judged in lower case.
            Names.labelKey(entry.getKey())
                    .forEach(fault -> errors.add(FieldError.invalid(path, entry.getKey(), fault)));
            if (!entry.getValue().isTextual()) {
                errors.add(FieldError.invalid(path, entry.getValue(), "must be a string"));
                continue;
            }
            String value = entry.getValue().textValue();
            valueRule.apply(value).forEach(fault -> errors.add(FieldError.invalid(path, value, fault)));
        }
    }

    private static void validateAnnotationSize(JsonNode annotations, List<FieldError> errors) {
        long bytes = 0;
        for (var entry : annotations.properties()) {
            bytes += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
            bytes += entry.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MAX_ANNOTATIONS_BYTES) {
            errors.add(FieldError.tooLong("metadata.annotations", MAX_ANNOTATIONS_BYTES));
        }
    }

    /** Whether finalizers of a kind have to name a domain: custom kinds, and their definitions, have a looser rule. */
    private static boolean namesDomains(ResourceDefinition definition) {
        return !definition.isCustom() && !definition.kind().group().equals("apiextensions.k8s.io");
    }

    private static void validateFinalizers(JsonNode finalizers, boolean domains, List<FieldError> errors) {
        validateFinalizerNames(finalizers, "metadata.finalizers", domains, errors);
        boolean orphan = false;
        boolean foreground = false;
        for (JsonNode finalizer : finalizers) {
            orphan |= finalizer.asText().equals(PropagationPolicy.ORPHAN_FINALIZER);
            foreground |= finalizer.asText().equals(PropagationPolicy.FOREGROUND_FINALIZER);
        }
        if (orphan && foreground) {
            errors.add(FieldError.invalid(
                    "metadata.finalizers",
                    finalizers,
                    "finalizer " + PropagationPolicy.ORPHAN_FINALIZER + " and " + PropagationPolicy.FOREGROUND_FINALIZER
                            + " cannot be both set"));
        }
    }

    /**
     * Finalizers are qualified names.
     *
     * @param domains whether all but the standard ones have a domain
     */
    static void validateFinalizerNames(JsonNode finalizers, String path, boolean domains, List<FieldError> errors) {
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.get(i).asText();
            Names.labelKey(finalizer).forEach(fault -> errors.add(FieldError.invalid(path, finalizer, fault)));
            if (domains && finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
                errors.add(FieldError.invalid(
                        path + "[" + i + "]",
                        finalizer,
                        "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
    }

    private static void validateOwners(JsonNode owners, List<FieldError> errors) {
        var controllers = new ArrayList<String>();
        for (JsonNode owner : owners) {
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (owner.path(field).asText().isEmpty()) {
                    String rule = field.equals("apiVersion") ? "version must not be empty" : "must not be empty";
                    errors.add(FieldError.invalid("metadata.ownerReferences." + field, "", rule));
                }
            }
            if (owner.path("controller").asBoolean()) {
                controllers.add(
                        owner.path("kind").asText() + "/" + owner.path("name").asText());
            }
        }
        if (controllers.size() > 1) {
            errors.add(FieldError.invalid(
                    "metadata.ownerReferences",
                    owners,
                    "Only one reference can have Controller set to true. Found \"true\" in references for "
                            + String.join(" and ", controllers)));
        }
    }

    /** What an update may not change, given that the registry has restored what it keeps itself. */
    static List<FieldError> validateUpdate(ObjectNode metadata, ObjectNode old) {
        var errors = new ArrayList<FieldError>();
        for (String field : List.of("name", "namespace", "uid", "creationTimestamp")) {
            JsonNode value = metadata.path(field);
            if (!value.equals(old.path(field))) {
                errors.add(FieldError.invalid("metadata." + field, value.asText(), "field is immutable"));
            }
        }
        if (old.hasNonNull("deletionTimestamp")) {
            for (JsonNode finalizer : metadata.path("finalizers")) {
                if (!contains(old.path("finalizers"), finalizer)) {
                    errors.add(FieldError.forbidden(
                            "metadata.finalizers",
                            "no new finalizers can be added if the object is being deleted, found new finalizers "
                                    + finalizer));
                }
            }
        }
        return errors;
    }

    private static boolean contains(JsonNode array, JsonNode wanted) {
        for (JsonNode item : array) {
            if (item.equals(wanted)) {
                return true;
            }
        }
        return false;
    }
}
