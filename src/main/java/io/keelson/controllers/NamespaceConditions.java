package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.controllers.NamespaceContents.Pass;
import io.keelson.resources.fields.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** What the status of a namespace that is being deleted says about what is left in it. Stateless. */
final class NamespaceConditions {
    /** One condition: its state, and the words for it. */
    private record Condition(String type, boolean holds, String reason, String message) {}

    private NamespaceConditions() {}

    /** Brings the conditions of a namespace up to date. One that says the same as before stays as it is. */
    static void apply(ObjectNode namespace, Pass pass, Instant now) {
        ArrayNode conditions = Trees.list(Trees.child(namespace, "status"), "conditions");
        for (Condition wanted : conditions(pass)) {
            ObjectNode condition = find(conditions, wanted.type());
            String state = wanted.holds() ? "True" : "False";
            if (!Trees.text(condition, "status").equals(state)) {
                condition.put("status", state);
                condition.put(
                        "lastTransitionTime",
                        now.truncatedTo(ChronoUnit.SECONDS).toString());
            }
            condition.put("reason", wanted.reason()).put("message", wanted.message());
        }
    }

    private static ObjectNode find(ArrayNode conditions, String type) {
        for (JsonNode condition : conditions) {
            if (condition instanceof ObjectNode object
                    && Trees.text(object, "type").equals(type)) {
                return object;
            }
        }
        return conditions.addObject().put("type", type);
    }

    private static List<Condition> conditions(Pass pass) {
        return List.of(
                // All resources are this server's own, so these two never hold. Clients look for all five.
                new Condition(
                        "NamespaceDeletionDiscoveryFailure",
                        false,
                        "ResourcesDiscovered",
                        "All resources successfully discovered"),
                new Condition(
                        "NamespaceDeletionGroupVersionParsingFailure",
                        false,
                        "ParsedGroupVersions",
                        "All legacy kube types successfully parsed"),
                contentFailure(pass),
                pass.resources().isEmpty()
                        ? new Condition(
                                "NamespaceContentRemaining",
                                false,
                                "ContentRemoved",
                                "All content successfully removed")
                        : new Condition(
                                "NamespaceContentRemaining",
                                true,
                                "SomeResourcesRemain",
                                "Some resources are remaining: "
                                        + counts(pass.resources(), " has ", " resource instances")),
                pass.finalizers().isEmpty()
                        ? new Condition(
                                "NamespaceFinalizersRemaining",
                                false,
                                "ContentHasNoFinalizers",
                                "All content-preserving finalizers finished")
                        : new Condition(
                                "NamespaceFinalizersRemaining",
                                true,
                                "SomeFinalizersRemain",
                                "Some content in the namespace has finalizers remaining: "
                                        + counts(pass.finalizers(), " in ", " resource instances")));
    }

    private static Condition contentFailure(Pass pass) {
        if (pass.failed() == 0) {
            return new Condition(
                    "NamespaceDeletionContentFailure",
                    false,
                    "ContentDeleted",
                    "All content successfully deleted, may be waiting on finalization");
        }
        return new Condition(
                "NamespaceDeletionContentFailure",
                true,
                "ContentDeletionFailed",
                "Failed to delete all resource types, " + pass.failed() + " remaining: "
                        + String.join(", ", pass.failures()));
    }

    private static String counts(SortedMap<String, Long> counts, String between, String after) {
        var parts = new ArrayList<String>();
        counts.forEach((what, count) -> parts.add(what + between + count + after));
        return String.join(", ", parts);
    }
}
