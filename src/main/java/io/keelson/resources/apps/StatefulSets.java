package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import io.keelson.resources.core.PersistentVolumeClaims;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Stateful sets: pods that keep their names and their storage. */
public final class StatefulSets {
    private static final List<String> MANAGEMENT = List.of("OrderedReady", "Parallel");
    private static final List<String> STRATEGIES = List.of("OnDelete", "RollingUpdate");
    private static final List<String> RETENTION = List.of("Delete", "Retain");
    private static final List<String> COUNTERS = List.of(
            "replicas",
            "readyReplicas",
            "currentReplicas",
            "updatedReplicas",
            "availableReplicas",
            "observedGeneration",
            "collisionCount");

    private static final List<String> CHANGEABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private StatefulSets() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("apps", "v1", "StatefulSet", "statefulsets")
                .shortNames("sts")
                .categories("all")
                .strategy(new StatefulSetStrategy())
                .scale(ScalePaths.WORKLOAD)
                .defaults(Defaults.of(StatefulSets::fill))
                .columns(
                        Column.of(
                                "Ready",
                                "string",
                                "How many pods are ready, and how many are wanted.",
                                (object, now) -> Trees.at(object, "status", "readyReplicas")
                                                .asLong() + "/"
                                        + Trees.at(object, "spec", "replicas").asLong()),
                        Column.AGE,
                        Workloads.CONTAINERS.getFirst(),
                        Workloads.CONTAINERS.getLast())
                .build();
    }

    private static void fill(ObjectNode set) {
        ObjectNode spec = Workloads.defaults(set, true);
        Trees.fill(spec, "podManagementPolicy", "OrderedReady");
        ObjectNode strategy = Trees.child(spec, "updateStrategy");
        Trees.fill(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            Trees.fill(Trees.child(strategy, "rollingUpdate"), "partition", 0);
        }
        ObjectNode retention = Trees.child(spec, "persistentVolumeClaimRetentionPolicy");
        Trees.fill(retention, "whenDeleted", "Retain");
        Trees.fill(retention, "whenScaled", "Retain");
        Trees.fill(spec, "revisionHistoryLimit", Workloads.REVISION_HISTORY);
        for (ObjectNode claim : Trees.objects(spec.path("volumeClaimTemplates"))) {
            Trees.fill(claim, "apiVersion", "v1");
            Trees.fill(claim, "kind", "PersistentVolumeClaim");
            PersistentVolumeClaims.fill(Trees.child(claim, "spec"));
            Trees.fill(Trees.child(claim, "status"), "phase", "Pending");
        }
    }

    private static final class StatefulSetStrategy extends BasicStrategy {
        StatefulSetStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode set) {
            return set.objectNode().put("replicas", 0).put("availableReplicas", 0);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode set) {
            var faults = new Faults();
            JsonNode spec = set.path("spec");
            faults.oneOf("spec.podManagementPolicy", spec.path("podManagementPolicy"), MANAGEMENT);
            JsonNode strategy = spec.path("updateStrategy");
            faults.oneOf("spec.updateStrategy.type", strategy.path("type"), STRATEGIES);
            if (Trees.text(strategy, "type").equals("OnDelete") && strategy.has("rollingUpdate")) {
                faults.invalid(
                        "spec.updateStrategy.rollingUpdate",
                        strategy.path("rollingUpdate"),
                        "only allowed for updateStrategy 'RollingUpdate'");
            }
            faults.notNegative(
                    "spec.updateStrategy.rollingUpdate.partition", Trees.at(strategy, "rollingUpdate", "partition"));
            for (String when : List.of("whenDeleted", "whenScaled")) {
                String field = "spec.persistentVolumeClaimRetentionPolicy." + when;
                faults.oneOf(field, Trees.at(spec, "persistentVolumeClaimRetentionPolicy", when), RETENTION);
            }
            JsonNode unavailable = Trees.at(strategy, "rollingUpdate", "maxUnavailable");
            if (unavailable.asText().equals("0") || unavailable.asText().equals("0%")) {
                faults.invalid("spec.updateStrategy.rollingUpdate.maxUnavailable", unavailable, "cannot be 0");
            }
            faults.notNegative("spec.ordinals.start", Trees.at(spec, "ordinals", "start"));
            Workloads.check(faults, "statefulset", spec);
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode set, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, set));
            if (!fixedPart(set).equals(fixedPart(old))) {
                faults.forbidden(
                        "spec",
                        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                                + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                                + " 'minReadySeconds' are forbidden");
            }
            return faults.list();
        }

        @Override
        public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode set, ObjectNode old) {
            var faults = new Faults();
            JsonNode status = set.path("status");
            Workloads.checkCounters(faults, status, COUNTERS);
            Workloads.notAbove(faults, status, "readyReplicas", "replicas");
            Workloads.notAbove(faults, status, "currentReplicas", "replicas");
            Workloads.notAbove(faults, status, "updatedReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "replicas");
            Workloads.notAbove(faults, status, "availableReplicas", "readyReplicas");
            return faults.list();
        }

        private static JsonNode fixedPart(ObjectNode set) {
            return set.path("spec") instanceof ObjectNode spec ? spec.deepCopy().without(CHANGEABLE) : set.path("spec");
        }
    }
}
