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

/** What the kinds that keep pods running have in common. */
final class Workloads {
    /** How many old revisions are kept for a return to them. */
    static final int REVISION_HISTORY = 10;

    static final List<Column> CONTAINERS = Cells.containers("spec", "template", "spec");

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
        PodTemplates.checkServing(faults, "spec.template", spec, selector);
        faults.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
        faults.notNegative("spec.revisionHistoryLimit", spec.path("revisionHistoryLimit"));
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
