package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** What is wrong with the environment of a container. Stateless. */
final class EnvRules {
    private EnvRules() {}

    static void check(Faults faults, String container, ObjectNode object) {
        int i = 0;
        for (ObjectNode variable : Trees.objects(object.path("env"))) {
            String at = container + ".env[" + i++ + "]";
            JsonNode name = variable.path("name");
            if (faults.present(at + ".name", name)) {
                checkVariableName(faults, at + ".name", name.asText());
            }
            if (variable.has("valueFrom")) {
                checkValueFrom(faults, at + ".valueFrom", variable);
            }
        }
        i = 0;
        for (ObjectNode source : Trees.objects(object.path("envFrom"))) {
            checkFrom(faults, container + ".envFrom[" + i++ + "]", source);
        }
    }

    private static void checkVariableName(Faults faults, String field, String name) {
        if (!name.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '=')) {
            faults.invalid(
                    field,
                    name,
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
    }

    private static void checkValueFrom(Faults faults, String at, ObjectNode variable) {
        JsonNode source = variable.path("valueFrom");
        if (source.isEmpty()) {
            faults.invalid(
                    at,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
        } else if (!Trees.text(variable, "value").isEmpty()) {
            faults.invalid(at, "", "may not be specified when `value` is not empty");
        } else if (source.size() > 1) {
            faults.invalid(at, "", "may not have more than one field specified at a time");
        }
        for (String reference : List.of("configMapKeyRef", "secretKeyRef")) {
            if (source.has(reference)) {
                String field = at + "." + reference;
                faults.present(field + ".name", source.path(reference).path("name"));
                faults.presentByRule(field + ".key", source.path(reference).path("key"), Names::configKey);
            }
        }
        if (source.has("fieldRef")) {
            FieldReferences.checkField(faults, at + ".fieldRef", source.path("fieldRef"), FieldReferences.IN_VARIABLES);
        }
        if (source.has("resourceFieldRef")) {
            FieldReferences.checkResource(faults, at + ".resourceFieldRef", source.path("resourceFieldRef"), false);
        }
    }

    private static void checkFrom(Faults faults, String at, ObjectNode source) {
        String prefix = Trees.text(source, "prefix");
        if (!prefix.isEmpty()) {
            checkVariableName(faults, at + ".prefix", prefix);
        }
        int sources = 0;
        for (String reference : List.of("configMapRef", "secretRef")) {
            if (source.has(reference)) {
                sources++;
                faults.present(
                        at + "." + reference + ".name", source.path(reference).path("name"));
            }
        }
        if (sources == 0) {
            faults.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
        } else if (sources > 1) {
            faults.invalid(at, "", "may not have more than one field specified at a time");
        }
    }
}
