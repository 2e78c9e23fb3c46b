package io.keelson.resources.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Shares;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Pod disruption budgets: how many of some pods an eviction must leave. */
public final class PodDisruptionBudgets {
    private static final List<String> COUNTERS =
            List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");
    private static final List<String> EVICTION_POLICIES = List.of("AlwaysAllow", "IfHealthyBudget");

    private PodDisruptionBudgets() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets")
                .shortNames("pdb")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION)
                        .initialStatus(status -> COUNTERS.forEach(counter -> status.put(counter, 0)))
                        .check(PodDisruptionBudgets::check)
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(budget -> Trees.child(budget, "spec")))
                .columns(
                        share("Min Available", "How many pods must stay.", "minAvailable"),
                        share("Max Unavailable", "How many pods may be away.", "maxUnavailable"),
                        Column.of(
                                "Allowed Disruptions",
                                "integer",
                                "How many pods may be evicted now.",
                                (budget, now) -> Trees.at(budget, "status", "disruptionsAllowed")
                                        .asLong()),
                        Column.AGE)
                .build();
    }

    private static Column share(String name, String description, String field) {
        return Column.of(name, "string", description, (budget, now) -> {
            String share = Trees.text(budget, "spec", field);
            return share.isEmpty() ? "N/A" : share;
        });
    }

    private static void check(Faults faults, ObjectNode budget) {
        JsonNode spec = budget.path("spec");
        if (Trees.has(spec, "minAvailable") && Trees.has(spec, "maxUnavailable")) {
            faults.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
        }
        for (String field : List.of("minAvailable", "maxUnavailable")) {
            if (Trees.has(spec, field)) {
                Shares.check(faults, "spec." + field, spec.path(field));
                Shares.notAboveAll(faults, "spec." + field, spec.path(field));
            }
        }
        Selectors.check(faults, "spec.selector", spec.path("selector"));
        faults.oneOfIfSet(
                "spec.unhealthyPodEvictionPolicy", spec.path("unhealthyPodEvictionPolicy"), EVICTION_POLICIES);
    }
}
