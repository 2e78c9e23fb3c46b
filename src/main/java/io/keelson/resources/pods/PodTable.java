package io.keelson.resources.pods;

import static io.keelson.resources.fields.Cells.orNone;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Trees;

/** The columns of a table of pods. */
final class PodTable {
    private PodTable() {}

    static Column[] columns() {
        return new Column[] {
            Column.of(
                    "Ready",
                    "string",
                    "How many of the containers are ready, and how many there are.",
                    (pod, now) -> new PodStatusCells(pod).ready()),
            Column.of(
                    "Status",
                    "string",
                    "What the containers are doing, in one word.",
                    (pod, now) -> new PodStatusCells(pod).status()),
            Column.of(
                    "Restarts",
                    "string",
                    "How often containers were started again, and when one was last.",
                    (pod, now) -> new PodStatusCells(pod).restarts(now)),
            Column.AGE,
            Column.wide(
                    "IP",
                    "string",
                    "The pod's own address.",
                    (pod, now) ->
                            orNone(Trees.text(pod.path("status").path("podIPs").path(0), "ip"))),
            Column.wide(
                    "Node",
                    "string",
                    "The node that the pod is bound to.",
                    (pod, now) -> orNone(Trees.text(pod, "spec", "nodeName"))),
            Column.wide(
                    "Nominated Node",
                    "string",
                    "The node that room is being made on.",
                    (pod, now) -> orNone(Trees.text(pod, "status", "nominatedNodeName"))),
            Column.wide(
                    "Readiness Gates",
                    "string",
                    "How many of the further conditions for readiness hold.",
                    (pod, now) -> gates(pod))
        };
    }

    private static String gates(ObjectNode pod) {
        var gates = Trees.objects(Trees.at(pod, "spec", "readinessGates"));
        if (gates.isEmpty()) {
            return Cells.NONE;
        }
        var conditions = Trees.objects(Trees.at(pod, "status", "conditions"));
        long met = gates.stream()
                .filter(gate -> conditions.stream()
                        .anyMatch(one -> Trees.text(one, "type").equals(Trees.text(gate, "conditionType"))
                                && Trees.text(one, "status").equals("True")))
                .count();
        return met + "/" + gates.size();
    }
}
