package io.keelson.resources.flowcontrol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Priority levels: how many requests of a level run at once, and how others wait. */
public final class PriorityLevels {
    private static final List<String> TYPES = List.of("Exempt", "Limited");
    private static final List<String> RESPONSES = List.of("Queue", "Reject");
    private static final int SHARES = 30;
    private static final int QUEUES = 64;
    private static final int HAND_SIZE = 8;
    private static final int QUEUE_LENGTH = 50;

    private PriorityLevels() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(
                        FlowSchemas.GROUP, "v1", "PriorityLevelConfiguration", "prioritylevelconfigurations")
                .strategy(KindStrategy.of(Trait.STATUS, Trait.GENERATION)
                        .check(PriorityLevels::check)
                        .build())
                .defaults(Defaults.of(PriorityLevels::fill))
                .columns(
                        Cells.text("Type", "Whether the level is limited.", "spec", "type"),
                        Column.of(
                                "NominalConcurrencyShares",
                                "string",
                                "Its share of the requests that run at once.",
                                (level, now) -> cell(kindOf(level).path("nominalConcurrencyShares"))),
                        queuing("Queues", "How many queues it has.", "queues"),
                        queuing("HandSize", "How many queues a flow is dealt.", "handSize"),
                        queuing("QueueLengthLimit", "How many requests wait in a queue.", "queueLengthLimit"),
                        Column.AGE)
                .build();
    }

    private static Column queuing(String name, String description, String field) {
        return Column.of(
                name,
                "string",
                description,
                (level, now) -> cell(Trees.at(level, "spec", "limited", "limitResponse", "queuing", field)));
    }

    private static Object cell(JsonNode number) {
        return number.isNumber() ? (Object) number.asLong() : Cells.NONE;
    }

    private static JsonNode kindOf(ObjectNode level) {
        return Trees.at(level, "spec", Trees.text(level, "spec", "type").equals("Exempt") ? "exempt" : "limited");
    }

    private static void fill(ObjectNode level) {
        ObjectNode spec = Trees.child(level, "spec");
        if (Trees.text(spec, "type").equals("Exempt")) {
            ObjectNode exempt = Trees.child(spec, "exempt");
            Trees.fill(exempt, "nominalConcurrencyShares", 0);
            Trees.fill(exempt, "lendablePercent", 0);
        }
        if (spec.path("limited") instanceof ObjectNode limited) {
            Trees.fill(limited, "nominalConcurrencyShares", SHARES);
            Trees.fill(limited, "lendablePercent", 0);
            if (Trees.child(limited, "limitResponse").path("queuing") instanceof ObjectNode queuing) {
                Trees.fillZero(queuing, "queues", QUEUES);
                Trees.fillZero(queuing, "handSize", HAND_SIZE);
                Trees.fillZero(queuing, "queueLengthLimit", QUEUE_LENGTH);
            }
        }
    }

    private static void check(Faults faults, ObjectNode level) {
        JsonNode spec = level.path("spec");
        faults.oneOf("spec.type", spec.path("type"), TYPES);
        boolean limited = Trees.text(spec, "type").equals("Limited");
        if (limited && Trees.has(spec, "exempt")) {
            faults.forbidden("spec.exempt", "must be nil if the type is Limited");
        } else if (!limited && Trees.has(spec, "limited")) {
            faults.forbidden("spec.limited", "must be nil if the type is not Limited");
        }
        if (!limited) {
            return;
        }
        if (!Trees.has(spec, "limited")) {
            faults.required("spec.limited", "must not be empty when type is Limited");
            return;
        }
        JsonNode response = spec.path("limited").path("limitResponse");
        faults.oneOf("spec.limited.limitResponse.type", response.path("type"), RESPONSES);
        if (Trees.text(response, "type").equals("Reject") && Trees.has(response, "queuing")) {
            faults.forbidden(
                    "spec.limited.limitResponse.queuing", "must be nil if limited.limitResponse.type is not Limited");
        }
    }
}
