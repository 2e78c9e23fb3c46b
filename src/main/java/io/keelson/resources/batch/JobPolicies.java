package io.keelson.resources.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What is wrong with how a job counts its indexes, its failures and its success. Stateless. */
final class JobPolicies {
    private static final int MAX_INDEXES = 100_000;
    private static final List<String> OPERATORS = List.of("In", "NotIn");
    private static final Pattern INDEX = Pattern.compile("\\d{1,9}");
    private static final String BY_INDEX = "requires indexed completion mode";

    private JobPolicies() {}

    static void check(Faults faults, String path, JsonNode spec) {
        boolean indexed = Trees.text(spec, "completionMode").equals("Indexed");
        if (Trees.has(spec, "maxFailedIndexes") && !Trees.has(spec, "backoffLimitPerIndex")) {
            faults.required(path + ".backoffLimitPerIndex", "when maxFailedIndexes is specified");
        }
        if (indexed) {
            checkIndexed(faults, path, spec);
        } else {
            for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
                if (Trees.has(spec, field)) {
                    faults.invalid(path + "." + field, spec.path(field), BY_INDEX);
                }
            }
        }
        String manager = Trees.text(spec, "managedBy");
        if (!manager.isEmpty()) {
            int slash = manager.indexOf('/');
            if (slash < 1 || slash == manager.length() - 1) {
                faults.invalid(
                        path + ".managedBy", manager, "must be a domain-prefixed path (such as \"acme.io/foo\")");
            } else {
                faults.rule(path + ".managedBy", manager.substring(0, slash), Names::subdomain);
            }
        }
        if (spec.has("podFailurePolicy")) {
            checkFailures(faults, path + ".podFailurePolicy.rules", spec);
        }
        if (spec.has("successPolicy")) {
            checkSuccess(faults, path + ".successPolicy", spec, indexed);
        }
    }

    private static void checkIndexed(Faults faults, String path, JsonNode spec) {
        if (spec.path("parallelism").asLong() > MAX_INDEXES) {
            faults.invalid(
                    path + ".parallelism",
                    spec.path("parallelism"),
                    "must be less than or equal to 100000 when completion mode is Indexed");
        }
        long failed = spec.path("maxFailedIndexes").asLong();
        if (Trees.has(spec, "completions") && failed > spec.path("completions").asLong()) {
            faults.invalid(
                    path + ".maxFailedIndexes",
                    spec.path("maxFailedIndexes"),
                    "must be less than or equal to completions");
        }
        if (failed > MAX_INDEXES) {
            faults.invalid(
                    path + ".maxFailedIndexes", spec.path("maxFailedIndexes"), "must be less than or equal to 100000");
        }
    }

    // ---- failures

    private static void checkFailures(Faults faults, String path, JsonNode spec) {
        int i = 0;
        for (ObjectNode rule : Trees.objects(Trees.at(spec, "podFailurePolicy", "rules"))) {
            String at = path + "[" + i++ + "]";
            if (Trees.text(rule, "action").equals("FailIndex") && !Trees.has(spec, "backoffLimitPerIndex")) {
                faults.invalid(at, "FailIndex", "requires the backoffLimitPerIndex to be set");
            }
            boolean byCode = rule.has("onExitCodes");
            boolean byCondition = !rule.path("onPodConditions").isEmpty();
            if (byCode && byCondition) {
                faults.invalid(at, null, "specifying both OnExitCodes and OnPodConditions is not supported");
            } else if (!byCode && !byCondition) {
                faults.invalid(at, null, "specifying one of OnExitCodes and OnPodConditions is required");
            }
            if (byCode) {
                checkCodes(faults, at + ".onExitCodes", rule.path("onExitCodes"), spec);
            }
            int j = 0;
            for (ObjectNode condition : Trees.objects(rule.path("onPodConditions"))) {
                String type = Trees.text(condition, "type");
                faults.rule(at + ".onPodConditions[" + j++ + "].type", type, Names::labelKey);
            }
        }
    }

    private static void checkCodes(Faults faults, String at, JsonNode codes, JsonNode spec) {
        faults.oneOf(at + ".operator", codes.path("operator"), OPERATORS);
        String container = Trees.text(codes, "containerName");
        JsonNode pod = Trees.at(spec, "template", "spec");
        boolean known = List.of("containers", "initContainers").stream()
                .flatMap(list -> Trees.objects(pod.path(list)).stream())
                .anyMatch(one -> Trees.text(one, "name").equals(container));
        if (!container.isEmpty() && !known) {
            faults.invalid(
                    at + ".containerName",
                    container,
                    "must be one of the container or initContainer names in the" + " pod template");
        }
        JsonNode values = codes.path("values");
        if (values.isEmpty()) {
            faults.invalid(at + ".values", values, "at least one value is required");
        }
        boolean in = Trees.text(codes, "operator").equals("In");
        for (int i = 0; i < values.size(); i++) {
            long code = values.path(i).asLong();
            if (in && code == 0) {
                faults.invalid(at + ".values[" + i + "]", code, "must not be 0 for the In operator");
            }
            if (i > 0 && code == values.path(i - 1).asLong()) {
                faults.duplicate(at + ".values[" + i + "]", code);
            } else if (i > 0 && code < values.path(i - 1).asLong()) {
                faults.invalid(at + ".values", values, "must be ordered");
            }
        }
    }

    // ---- success

    private static void checkSuccess(Faults faults, String path, JsonNode spec, boolean indexed) {
        JsonNode policy = spec.path("successPolicy");
        if (!indexed) {
            faults.invalid(path, policy, BY_INDEX);
        }
        if (policy.path("rules").isEmpty()) {
            faults.required(
                    path + ".rules", "at least one rules must be specified when the successPolicy is specified");
        }
        int i = 0;
        for (ObjectNode rule : Trees.objects(policy.path("rules"))) {
            String at = path + ".rules[" + i++ + "]";
            boolean counts = Trees.has(rule, "succeededCount");
            boolean names = Trees.has(rule, "succeededIndexes");
            if (!counts && !names) {
                faults.required(at, "at least one of succeededCount or succeededIndexes must be specified");
            }
            long completions = spec.path("completions").asLong();
            int named = names ? checkIndexes(faults, at + ".succeededIndexes", rule, completions) : -1;
            if (counts) {
                JsonNode count = rule.path("succeededCount");
                faults.notNegative(at + ".succeededCount", count);
                if (count.asLong() > completions) {
                    faults.invalid(
                            at + ".succeededCount",
                            count,
                            "must be less than or equal to " + completions + " (the number of specified completions)");
                } else if (named >= 0 && count.asLong() > named) {
                    faults.invalid(
                            at + ".succeededCount",
                            count,
                            "must be less than or equal to " + named
                                    + " (the number of indexes in the specified succeededIndexes field)");
                }
            }
        }
    }

    /** Checks a list such as {@code 1,3-5}; how many indexes it names, -1 where it is none. */
    private static int checkIndexes(Faults faults, String field, ObjectNode rule, long completions) {
        String list = Trees.text(rule, "succeededIndexes");
        String wrong = "error parsing succeededIndexes: ";
        int count = 0;
        long last = -1;
        for (String part : list.split(",", -1)) {
            var ends = new ArrayList<Long>();
            for (String end : part.split("-", 2)) {
                if (!INDEX.matcher(end).matches()) {
                    faults.invalid(field, list, wrong + "cannot convert string to integer for index: \"" + end + "\"");
                    return -1;
                }
                ends.add(Long.parseLong(end));
            }
            if (ends.getFirst() <= last || ends.getLast() < ends.getFirst()) {
                faults.invalid(
                        field,
                        list,
                        wrong + "non-increasing order, previous: " + last + ", current: " + ends.getFirst());
                return -1;
            }
            if (ends.getLast() >= completions) {
                faults.invalid(field, list, wrong + "too large index: \"" + ends.getLast() + "\"");
                return -1;
            }
            last = ends.getLast();
            count += (int) (ends.getLast() - ends.getFirst() + 1);
        }
        return count;
    }
}
