package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.pods.PodTemplates;
import java.util.List;
import java.util.Map;

/** Replication controllers: what replica sets were before they had a group of their own. */
public final class ReplicationControllers {
    private ReplicationControllers() {}

    public static ResourceDefinition definition() {
        List<Column> containers = Cells.containers("spec", "template", "spec");
        return ResourceDefinition.of("", "v1", "ReplicationController", "replicationcontrollers")
                .shortNames("rc")
                .categories("all")
                .strategy(new ControllerStrategy())
                .scale(ScalePaths.WORKLOAD)
                .defaults(Defaults.of(ReplicationControllers::fill))
                .selectableFields(SelectableFields.withDefaults(Map.of("status.replicas", "0")))
                .columns(
                        Cells.number("Desired", "How many pods are wanted.", "spec", "replicas"),
                        Cells.number("Current", "How many pods there are.", "status", "replicas"),
                        Cells.number("Ready", "How many pods are ready.", "status", "readyReplicas"),
                        Column.AGE,
                        containers.getFirst(),
                        containers.getLast(),
                        Column.wide(
                                "Selector",
                                "string",
                                "Labels that select the pods.",
                                (object, now) -> Cells.labels(Trees.at(object, "spec", "selector"))))
                .build();
    }

    private static void fill(ObjectNode controller) {
        ObjectNode spec = Trees.child(controller, "spec");
        PodTemplates.defaults(spec);
        Trees.fill(spec, "replicas", 1);
        JsonNode labels = Trees.at(spec, "template", "metadata", "labels");
        if (labels.isObject()) {
            if (spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            ObjectNode metadata = Trees.child(controller, "metadata");
            if (metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }
    }

    private static final class ControllerStrategy extends BasicStrategy {
        ControllerStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode controller) {
            return controller.objectNode().put("replicas", 0);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode controller) {
            var faults = new Faults();
            JsonNode spec = controller.path("spec");
            faults.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
            faults.notNegative("spec.replicas", spec.path("replicas"));
            if (spec.path("selector").isEmpty()) {
                faults.required("spec.selector", "");
            }
            ObjectNode selector = controller.objectNode();
            selector.set(
                    "matchLabels", spec.path("selector").isObject() ? spec.path("selector") : controller.objectNode());
            PodTemplates.checkServing(faults, "spec.template", spec, selector);
            return faults.list();
        }

        @Override
        public PropagationPolicy defaultPropagation() {
            return PropagationPolicy.ORPHAN;
        }
    }
}
