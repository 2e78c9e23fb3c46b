package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Shares;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Deployments: pods of one template, replaced step by step when it changes. */
public final class Deployments {
    private static final List<String> STRATEGIES = List.of("Recreate", "RollingUpdate");
    private static final int PROGRESS_SECONDS = 600;
    private static final List<String> COUNTERS = List.of(
            "observedGeneration",
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas");

    private Deployments() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("apps", "v1", "Deployment", "deployments")
                .shortNames("deploy")
                .categories("all")
                .strategy(new DeploymentStrategy())
                .scale(ScalePaths.WORKLOAD)
                .defaults(Defaults.of(Deployments::fill))
                .columns(
                        Column.of(
                                "Ready",
                                "string",
                                "How many pods are ready, and how many are wanted.",
                                (object, now) -> Trees.at(object, "status", "readyReplicas")
                                                .asLong() + "/"
                                        + Trees.at(object, "spec", "replicas").asLong()),
                        count("Up-to-date", "How many pods are of the present template.", "updatedReplicas"),
                        count("Available", "How many pods have been ready long enough.", "availableReplicas"),
                        Column.AGE,
                        Workloads.CONTAINERS.getFirst(),
                        Workloads.CONTAINERS.getLast(),
                        Cells.selector("spec", "selector"))
                .build();
    }

    private static Column count(String name, String description, String field) {
        return Column.of(
                name,
                "string",
                description,
                (object, now) -> Trees.at(object, "status", field).asLong());
    }

    private static void fill(ObjectNode deployment) {
        ObjectNode spec = Workloads.defaults(deployment, true);
        ObjectNode strategy = Trees.child(spec, "strategy");
        Trees.fill(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Trees.child(strategy, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", "25%");
            Trees.fill(rolling, "maxSurge", "25%");
        }
        Trees.fill(spec, "revisionHistoryLimit", Workloads.REVISION_HISTORY);
        Trees.fill(spec, "progressDeadlineSeconds", PROGRESS_SECONDS);
    }

    private static final class DeploymentStrategy extends BasicStrategy {
        DeploymentStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        /** A deployment's annotations are handed on to its replica sets, so they too are a desired state. */
        @Override
        protected boolean desiredStateDiffers(ObjectNode object, ObjectNode old) {
            return super.desiredStateDiffers(object, old)
                    || !Trees.at(object, "metadata", "annotations").equals(Trees.at(old, "metadata", "annotations"));
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode deployment) {
            var faults = new Faults();
            JsonNode spec = deployment.path("spec");
            Workloads.check(faults, "deployment", spec);
            checkStrategy(faults, spec.path("strategy"));
            JsonNode deadline = spec.path("progressDeadlineSeconds");
            faults.notNegative("spec.progressDeadlineSeconds", deadline);
            if (deadline.isNumber()
                    && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
                faults.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
            }
            return faults.list();
        }

        private static void checkStrategy(Faults faults, JsonNode strategy) {
            String type = Trees.text(strategy, "type");
            faults.oneOf("spec.strategy.type", strategy.path("type"), STRATEGIES);
            JsonNode rolling = strategy.path("rollingUpdate");
            if (type.equals("Recreate") && strategy.has("rollingUpdate")) {
                faults.forbidden(
                        "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
            } else if (type.equals("RollingUpdate")) {
                String at = "spec.strategy.rollingUpdate";
                Shares.check(faults, at + ".maxUnavailable", rolling.path("maxUnavailable"));
                Shares.check(faults, at + ".maxSurge", rolling.path("maxSurge"));
                if (Shares.isZero(rolling.path("maxUnavailable")) && Shares.isZero(rolling.path("maxSurge"))) {
                    faults.invalid(
                            at + ".maxUnavailable",
                            rolling.path("maxUnavailable"),
                            "may not be 0 when `maxSurge` is 0");
                }
                Shares.notAboveAll(faults, at + ".maxUnavailable", rolling.path("maxUnavailable"));
            }
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode deployment, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, deployment));
            faults.immutableSpec(deployment, old, "selector");
            return faults.list();
        }

        @Override
        public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode deployment, ObjectNode old) {
            var faults = new Faults();
            JsonNode status = deployment.path("status");
            Workloads.checkCounters(faults, status, COUNTERS);
            Workloads.notAbove(faults, status, "updatedReplicas", "replicas");
            Workloads.notAbove(faults, status, "readyReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "readyReplicas");
            return faults.list();
        }
    }
}
