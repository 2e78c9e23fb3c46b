package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pods: containers that run together on one node. */
public final class Pods {
    /** Priorities that exist without an object of their own. */
    private static final int CLUSTER_CRITICAL = 2_000_000_000;

    private static final int NODE_CRITICAL = 2_000_001_000;

    private static final List<String> TIMES = List.of("lastProbeTime", "lastTransitionTime");

    private Pods() {}

    public static ResourceDefinition definition() {
        var fields = new LinkedHashMap<String, String>();
        List.of("nodeName", "restartPolicy", "schedulerName", "serviceAccountName")
                .forEach(field -> fields.put("spec." + field, ""));
        fields.put("spec.hostNetwork", "false");
        List.of("phase", "podIP", "nominatedNodeName").forEach(field -> fields.put("status." + field, ""));
        return ResourceDefinition.of("", "v1", "Pod", "pods")
                .shortNames("po")
                .categories("all")
                .strategy(new PodStrategy())
                .defaults(Defaults.of(Pods::fill))
                .selectableFields(SelectableFields.withDefaults(fields))
                .columns(PodTable.columns())
                .returnsDeletedObject()
                .build();
    }

    private static void fill(ObjectNode pod) {
        ObjectNode spec = Trees.child(pod, "spec");
        Trees.fill(spec, "enableServiceLinks", true);
        PodSpecs.defaults(spec);
        for (String list : PodSpecs.CONTAINERS) {
            Trees.objects(spec.path(list)).forEach(Pods::requestWhatIsLimited);
        }
        for (ObjectNode condition : Trees.objects(Trees.at(pod, "status", "conditions"))) {
            // Times without a value are written as null, as everywhere in Kubernetes' older types.
            TIMES.stream().filter(time -> !condition.has(time)).forEach(condition::putNull);
        }
    }

    /** Who limits a resource without a request asks for all of it. */
    private static void requestWhatIsLimited(ObjectNode container) {
        JsonNode limits = Trees.at(container, "resources", "limits");
        if (!limits.isEmpty()) {
            ObjectNode requests = Trees.child(container, "resources", "requests");
            limits.properties().forEach(limit -> requests.putIfAbsent(limit.getKey(), limit.getValue()));
        }
    }

    private static final class PodStrategy extends BasicStrategy {
        PodStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode pod) {
            super.prepareForCreate(context, pod);
            ObjectNode spec = Trees.child(pod, "spec");
            Tolerations.addForTrouble(spec);
            int priority = switch (Trees.text(spec, "priorityClassName")) {
                case "system-cluster-critical" -> CLUSTER_CRITICAL;
                case "system-node-critical" -> NODE_CRITICAL;
                default -> 0;
            };
            Trees.fill(spec, "priority", priority);
            Trees.fill(spec, "preemptionPolicy", "PreemptLowerPriority");
            if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
                spec.put("terminationGracePeriodSeconds", 1);
            }
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode pod) {
            ObjectNode status = pod.objectNode().put("phase", "Pending").put("qosClass", QosClass.of(pod.path("spec")));
            if (!Trees.at(pod, "spec", "schedulingGates").isEmpty()) {
                status.putArray("conditions")
                        .addObject()
                        .put("type", "PodScheduled")
                        .put("status", "False")
                        .put("reason", "SchedulingGated")
                        .put("message", "Scheduling is blocked due to non-empty scheduling gates");
            }
            return status;
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode pod) {
            var faults = new Faults();
            PodSpecs.check(faults, "spec", pod.path("spec"));
            if (!Trees.at(pod, "spec", "ephemeralContainers").isEmpty()) {
                faults.forbidden("spec.ephemeralContainers", "cannot be set on create");
            }
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode pod, ObjectNode old) {
            var faults = new Faults();
            PodSpecs.check(faults, "spec", pod.path("spec"));
            PodUpdates.check(faults, pod.path("spec"), old.path("spec"));
            return faults.list();
        }

        @Override
        public @Nullable Long gracePeriodSeconds(ObjectNode pod, @Nullable Long asked) {
            String phase = Trees.text(pod, "status", "phase");
            boolean nothingRuns = Trees.text(pod, "spec", "nodeName").isEmpty()
                    || phase.equals("Succeeded")
                    || phase.equals("Failed");
            if (nothingRuns) {
                return 0L;
            }
            long period = asked != null
                    ? asked
                    : Trees.at(pod, "spec", "terminationGracePeriodSeconds").asLong(0);
            return period < 0 ? 1L : period;
        }
    }
}
