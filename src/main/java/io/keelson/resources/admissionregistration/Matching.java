package io.keelson.resources.admissionregistration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;

/** Which writes webhooks and policies are asked about. */
final class Matching {
    static final String GROUP = "admissionregistration.k8s.io";
    static final String CATEGORY = "api-extensions";
    static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
    private static final List<String> MATCH_POLICIES = List.of("Equivalent", "Exact");
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");

    private Matching() {}

    /** Everything matches where nothing is said. */
    static void fillPolicies(ObjectNode object) {
        Trees.fill(object, "matchPolicy", "Equivalent");
        Trees.child(object, "namespaceSelector");
        Trees.child(object, "objectSelector");
    }

    static void fillScopes(JsonNode rules) {
        Trees.objects(rules).forEach(rule -> Trees.fill(rule, "scope", "*"));
    }

    /** The match resources of policies and their bindings, where there are any. */
    static void fillResources(JsonNode resources) {
        if (resources instanceof ObjectNode object) {
            fillPolicies(object);
            fillScopes(object.path("resourceRules"));
            fillScopes(object.path("excludeResourceRules"));
        }
    }

    static void checkPolicies(Faults faults, String at, JsonNode object) {
        faults.oneOf(at + ".matchPolicy", object.path("matchPolicy"), MATCH_POLICIES);
        Selectors.check(faults, at + ".namespaceSelector", object.path("namespaceSelector"));
        Selectors.check(faults, at + ".objectSelector", object.path("objectSelector"));
    }

    static void checkResources(Faults faults, String at, JsonNode resources) {
        checkPolicies(faults, at, resources);
        checkRules(faults, at + ".resourceRules", resources.path("resourceRules"));
        checkRules(faults, at + ".excludeResourceRules", resources.path("excludeResourceRules"));
    }

    static void checkRules(Faults faults, String path, JsonNode rules) {
        int i = 0;
        for (ObjectNode rule : Trees.objects(rules)) {
            String at = path + "[" + i++ + "]";
            for (String list : List.of("apiGroups", "apiVersions", "resources", "operations")) {
                JsonNode values = rule.path(list);
                if (values.isEmpty()) {
                    faults.required(at + "." + list, "");
                }
                if (values.size() > 1 && Trees.texts(values).contains("*") && !list.equals("resources")) {
                    faults.invalid(
                            at + "." + list, values, "if '*' is present, must not specify other " + wordFor(list));
                }
            }
            int j = 0;
            for (JsonNode operation : rule.path("operations")) {
                faults.oneOf(at + ".operations[" + j++ + "]", operation, OPERATIONS);
            }
            faults.oneOf(at + ".scope", rule.path("scope"), SCOPES);
        }
    }

    private static String wordFor(String list) {
        return switch (list) {
            case "apiGroups" -> "API groups";
            case "apiVersions" -> "API versions";
            default -> list;
        };
    }

    static void checkConditions(Faults faults, String path, JsonNode object) {
        var names = new HashSet<String>();
        int i = 0;
        for (ObjectNode condition : Trees.objects(object.path("matchConditions"))) {
            String at = path + ".matchConditions[" + i++ + "]";
            faults.present(at + ".expression", condition.path("expression"));
            if (faults.present(at + ".name", condition.path("name")) && !names.add(Trees.text(condition, "name"))) {
                faults.duplicate(at + ".name", condition.path("name"));
            }
        }
    }
}
