package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import java.util.List;
import java.util.Map;

/** Replica sets: so many pods of one template. */
public final class ReplicaSets {
    private static final List<String> COUNTERS =
            List.of("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration");

    private ReplicaSets() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("apps", "v1", "ReplicaSet", "replicasets")
                .shortNames("rs")
                .categories("all")
                .strategy(new ReplicaSetStrategy())
                .scale(ScalePaths.WORKLOAD)
                .defaults(Defaults.of(set -> Workloads.defaults(set, true)))
                .selectableFields(SelectableFields.withDefaults(Map.of("status.replicas", "0")))
                .columns(
                        Cells.number("Desired", "How many pods are wanted.", "spec", "replicas"),
                        Cells.number("Current", "How many pods there are.", "status", "replicas"),
                        Cells.number("Ready", "How many pods are ready.", "status", "readyReplicas"),
                        Column.AGE,
                        Workloads.CONTAINERS.getFirst(),
                        Workloads.CONTAINERS.getLast(),
                        Cells.selector("spec", "selector"))
                .build();
    }

    private static final class ReplicaSetStrategy extends BasicStrategy {
        ReplicaSetStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode set) {
            return set.objectNode().put("replicas", 0);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode set) {
            var faults = new Faults();
            Workloads.check(faults, "deployment", set.path("spec"));
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode set, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, set));
            faults.immutableSpec(set, old, "selector");
            return faults.list();
        }

        @Override
        public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode set, ObjectNode old) {
            var faults = new Faults();
            JsonNode status = set.path("status");
            Workloads.checkCounters(faults, status, COUNTERS);
            Workloads.notAbove(faults, status, "fullyLabeledReplicas", "replicas");
            Workloads.notAbove(faults, status, "readyReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "readyReplicas");
            return faults.list();
        }
    }
}
