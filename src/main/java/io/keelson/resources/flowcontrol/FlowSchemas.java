package io.keelson.resources.flowcontrol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Flow schemas: which requests are of which priority level. */
public final class FlowSchemas {
    static final String GROUP = "flowcontrol.apiserver.k8s.io";
    private static final int DEFAULT_PRECEDENCE = 1000;
    private static final int LAST_PRECEDENCE = 10_000;
    private static final List<String> DISTINGUISHERS = List.of("ByNamespace", "ByUser");

    private FlowSchemas() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(GROUP, "v1", "FlowSchema", "flowschemas")
                .strategy(KindStrategy.of(Trait.STATUS, Trait.GENERATION)
                        .check(FlowSchemas::check)
                        .build())
                .defaults(Defaults.of(flow -> {
                    ObjectNode spec = Trees.child(flow, "spec");
                    Trees.child(spec, "priorityLevelConfiguration");
                    Trees.fillZero(spec, "matchingPrecedence", DEFAULT_PRECEDENCE);
                }))
                .columns(
                        Cells.text(
                                "PriorityLevel",
                                "The priority level of the requests.",
                                "spec",
                                "priorityLevelConfiguration",
                                "name"),
                        Column.of(
                                "MatchingPrecedence",
                                "string",
                                "The lower, the earlier it is asked.",
                                (flow, now) -> Trees.at(flow, "spec", "matchingPrecedence")
                                        .asLong()),
                        Column.of(
                                "DistinguisherMethod",
                                "string",
                                "By what requests are told apart.",
                                (flow, now) -> Cells.orNone(Trees.text(flow, "spec", "distinguisherMethod", "type"))),
                        Column.AGE,
                        Column.of(
                                "MissingPL",
                                "string",
                                "Whether its priority level is missing.",
                                (flow, now) -> missing(flow)))
                .build();
    }

    private static String missing(ObjectNode flow) {
        return Trees.objects(Trees.at(flow, "status", "conditions")).stream()
                .filter(condition -> Trees.text(condition, "type").equals("Dangling"))
                .map(condition -> Trees.text(condition, "status"))
                .findFirst()
                .orElse("?");
    }

    private static void check(Faults faults, ObjectNode flow) {
        JsonNode spec = flow.path("spec");
        JsonNode precedence = spec.path("matchingPrecedence");
        if (precedence.asLong() < 1) {
            faults.invalid("spec.matchingPrecedence", precedence, "must be a positive value");
        } else if (precedence.asLong() > LAST_PRECEDENCE) {
            faults.invalid("spec.matchingPrecedence", precedence, "must not be greater than " + LAST_PRECEDENCE);
        }
        faults.presentByRule(
                "spec.priorityLevelConfiguration.name",
                spec.path("priorityLevelConfiguration").path("name"),
                Names::subdomain);
        if (Trees.has(spec, "distinguisherMethod")) {
            faults.oneOf(
                    "spec.distinguisherMethod.type",
                    spec.path("distinguisherMethod").path("type"),
                    DISTINGUISHERS);
        }
        int i = 0;
        for (ObjectNode rule : Trees.objects(spec.path("rules"))) {
            String at = "spec.rules[" + i++ + "]";
            if (rule.path("subjects").isEmpty()) {
                faults.required(at + ".subjects", "subjects must contain at least one value");
            }
            if (rule.path("resourceRules").isEmpty()
                    && rule.path("nonResourceRules").isEmpty()) {
                faults.required(at, "at least one of resourceRules and nonResourceRules has to be non-empty");
            }
        }
    }
}
