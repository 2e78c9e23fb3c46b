package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.pods.PodTemplates;
import java.util.List;
import java.util.regex.Pattern;

/** What the kinds that keep pods running have in common. */
final class Workloads {
    /** How many old revisions are kept for a return to them. */
    static final int REVISION_HISTORY = 10;

    static final List<Column> CONTAINERS = Cells.containers("spec", "template", "spec");

    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final Pattern ABOVE_ALL = Pattern.compile("0*(?!100%)[1-9][0-9]{2,}%");

    private Workloads() {}

    /** Fills in the template, and replicas where the kind has them. */
    static ObjectNode defaults(ObjectNode object, boolean replicas) {
        ObjectNode spec = Trees.child(object, "spec");
        PodTemplates.defaults(spec);
        if (replicas) {
            Trees.fill(spec, "replicas", 1);
        }
        return spec;
    }

    /**
     * What is wrong with the fields that all have: replicas, selector, template and the numbers around them.
     *
     * @param kind in words, such as {@code deployment}
     */
    static void check(Faults faults, String kind, JsonNode spec) {
        faults.notNegative("spec.replicas", spec.path("replicas"));
        JsonNode selector = spec.path("selector");
        if (!selector.isObject()) {
            faults.required("spec.selector", "");
        } else {
            Selectors.check(faults, "spec.selector", selector);
            if (Selectors.isEmpty(selector)) {
                faults.invalid("spec.selector", selector, "empty selector is invalid for " + kind);
            }
        }
        PodTemplates.checkServing(faults, "spec.template", spec.path("template"), selector);
        faults.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
        faults.notNegative("spec.revisionHistoryLimit", spec.path("revisionHistoryLimit"));
    }

    /** A number of pods or a percentage of them. */
    static void checkShare(Faults faults, String field, JsonNode share) {
        if (share.isTextual()) {
            if (!PERCENT.matcher(share.asText()).matches()) {
                faults.invalid(
                        field,
                        share,
                        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                                + " regex used for validation is '[0-9]+%')");
            }
        } else {
            faults.notNegative(field, share);
        }
    }

    /** Whether a share of pods is none at all. */
    static boolean isZero(JsonNode share) {
        String text = share.asText().replace("%", "");
        return text.isEmpty() || text.chars().allMatch(c -> c == '0');
    }

    /** A percentage may not pass all of the pods. */
    static void notAboveAll(Faults faults, String field, JsonNode share) {
        if (share.isTextual() && ABOVE_ALL.matcher(share.asText()).matches()) {
            faults.invalid(field, share, "must not be greater than 100%");
        }
    }

    /** Counters of a status are not negative and none passes another that includes it. */
    static void checkCounters(Faults faults, JsonNode status, List<String> counters) {
        counters.forEach(counter -> faults.notNegative("status." + counter, status.path(counter)));
    }

    static void notAbove(Faults faults, JsonNode status, String counter, String bound) {
        if (status.path(counter).asLong() > status.path(bound).asLong()) {
            String whole = bound.equals("replicas") ? "status.replicas" : bound;
            faults.invalid("status." + counter, status.path(counter), "cannot be greater than " + whole);
        }
    }
}
