package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with where a pod wants to run: affinities and how pods are to be spread. Stateless. */
final class AffinityRules {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
    private static final int MAX_WEIGHT = 100;

    private AffinityRules() {}

    static void check(Faults faults, String at, JsonNode affinity) {
        JsonNode nodes = affinity.path("nodeAffinity");
        String nodesAt = at + ".nodeAffinity";
        if (nodes.has(REQUIRED)) {
            JsonNode terms = Trees.at(nodes, REQUIRED, "nodeSelectorTerms");
            String field = nodesAt + "." + REQUIRED + ".nodeSelectorTerms";
            if (terms.isEmpty()) {
                faults.required(field, "must have at least one node selector term");
            }
            int i = 0;
            for (ObjectNode term : Trees.objects(terms)) {
                checkTerm(faults, field + "[" + i++ + "]", term);
            }
        }
        int i = 0;
        for (ObjectNode preference : Trees.objects(nodes.path(PREFERRED))) {
            String field = nodesAt + "." + PREFERRED + "[" + i++ + "]";
            checkWeight(faults, field, preference);
            checkTerm(faults, field + ".preference", preference.path("preference"));
        }
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            checkPods(faults, at + "." + kind, affinity.path(kind));
        }
    }

    private static void checkTerm(Faults faults, String at, JsonNode term) {
        for (String list : List.of("matchExpressions", "matchFields")) {
            int i = 0;
            for (ObjectNode requirement : Trees.objects(term.path(list))) {
                checkRequirement(faults, at + "." + list + "[" + i++ + "]", requirement);
            }
        }
    }

    private static void checkRequirement(Faults faults, String at, ObjectNode requirement) {
        String operator = Trees.text(requirement, "operator");
        JsonNode values = requirement.path("values");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    faults.required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    faults.forbidden(
                            at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            case "Gt", "Lt" -> {
                if (values.size() != 1) {
                    faults.required(at + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
                } else if (!INTEGER.matcher(values.path(0).asText()).matches()) {
                    faults.invalid(at + ".values[0]", values.path(0), "must be an integer");
                }
            }
            default -> {}
        }
        if (!OPERATORS.contains(operator)) {
            faults.invalid(at + ".operator", operator, "not a valid selector operator");
        }
        faults.rule(at + ".key", Trees.text(requirement, "key"), Names::labelKey);
    }

    private static void checkWeight(Faults faults, String at, JsonNode preference) {
        long weight = preference.path("weight").asLong();
        if (weight < 1 || weight > MAX_WEIGHT) {
            faults.invalid(at + ".weight", weight, "must be in the range 1-100");
        }
    }

    private static void checkPods(Faults faults, String at, JsonNode affinity) {
        int i = 0;
        for (ObjectNode term : Trees.objects(affinity.path(REQUIRED))) {
            checkPodTerm(faults, at + "." + REQUIRED + "[" + i++ + "]", term);
        }
        i = 0;
        for (ObjectNode preference : Trees.objects(affinity.path(PREFERRED))) {
            String field = at + "." + PREFERRED + "[" + i++ + "]";
            checkWeight(faults, field, preference);
            checkPodTerm(faults, field + ".podAffinityTerm", preference.path("podAffinityTerm"));
        }
    }

    private static void checkPodTerm(Faults faults, String at, JsonNode term) {
        Selectors.check(faults, at + ".labelSelector", term.path("labelSelector"));
        Selectors.check(faults, at + ".namespaceSelector", term.path("namespaceSelector"));
        int i = 0;
        for (String namespace : Trees.texts(term.path("namespaces"))) {
            faults.rule(at + ".namespaces[" + i++ + "]", namespace, Names::label);
        }
        if (faults.present(at + ".topologyKey", term.path("topologyKey"))) {
            faults.rule(at + ".topologyKey", Trees.text(term, "topologyKey"), Names::labelKey);
        }
    }

    static void checkSpread(Faults faults, String path, JsonNode constraints) {
        Set<String> seen = new HashSet<>();
        int i = 0;
        for (ObjectNode constraint : Trees.objects(constraints)) {
            String at = path + "[" + i++ + "]";
            JsonNode skew = constraint.path("maxSkew");
            if (skew.asLong() <= 0) {
                faults.invalid(at + ".maxSkew", skew, "must be greater than zero");
            }
            String key = Trees.text(constraint, "topologyKey");
            if (key.isEmpty()) {
                faults.required(at + ".topologyKey", "can not be empty");
            } else {
                faults.rule(at + ".topologyKey", key, Names::labelKey);
            }
            String when = Trees.text(constraint, "whenUnsatisfiable");
            faults.oneOf(
                    at + ".whenUnsatisfiable",
                    constraint.path("whenUnsatisfiable"),
                    List.of("DoNotSchedule", "ScheduleAnyway"));
            if (!seen.add(key + ", " + when)) {
                faults.duplicate(at + ".{topologyKey, whenUnsatisfiable}", "{" + key + ", " + when + "}");
            }
            Selectors.check(faults, at + ".labelSelector", constraint.path("labelSelector"));
            faults.positive(at + ".minDomains", constraint.path("minDomains"));
        }
    }
}
