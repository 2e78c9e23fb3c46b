package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Shares;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Daemon sets: one pod of a template on every node. */
public final class DaemonSets {
    /** Counts the changes of the template alone. */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private static final List<String> STRATEGIES = List.of("OnDelete", "RollingUpdate");
    private static final List<String> COUNTERS = List.of(
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "observedGeneration",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable");

    private DaemonSets() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("apps", "v1", "DaemonSet", "daemonsets")
                .shortNames("ds")
                .categories("all")
                .strategy(new DaemonSetStrategy())
                .defaults(Defaults.of(DaemonSets::fill))
                .columns(
                        Cells.number("Desired", "How many nodes want a pod.", "status", "desiredNumberScheduled"),
                        Cells.number("Current", "How many of them have one.", "status", "currentNumberScheduled"),
                        Cells.number("Ready", "How many pods are ready.", "status", "numberReady"),
                        Cells.number(
                                "Up-to-date",
                                "How many pods are of the present template.",
                                "status",
                                "updatedNumberScheduled"),
                        Cells.number(
                                "Available", "How many pods have been ready long enough.", "status", "numberAvailable"),
                        Column.of(
                                "Node Selector",
                                "string",
                                "Labels of the nodes that want a pod.",
                                (object, now) ->
                                        Cells.labels(Trees.at(object, "spec", "template", "spec", "nodeSelector"))),
                        Column.AGE,
                        Workloads.CONTAINERS.getFirst(),
                        Workloads.CONTAINERS.getLast(),
                        Cells.selector("spec", "selector"))
                .build();
    }

    private static void fill(ObjectNode set) {
        ObjectNode spec = Workloads.defaults(set, false);
        ObjectNode strategy = Trees.child(spec, "updateStrategy");
        Trees.fill(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Trees.child(strategy, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", 1);
            Trees.fill(rolling, "maxSurge", 0);
        }
        Trees.fill(spec, "revisionHistoryLimit", Workloads.REVISION_HISTORY);
        // A default, so that whoever writes the object owns it; the strategy counts.
        Trees.fill(Trees.child(set, "metadata", "annotations"), TEMPLATE_GENERATION, "0");
    }

    private static final class DaemonSetStrategy extends BasicStrategy {
        DaemonSetStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode set) {
            super.prepareForCreate(context, set);
            setTemplateGeneration(set, Math.max(1, templateGeneration(set)));
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode set) {
            return set.objectNode()
                    .put("currentNumberScheduled", 0)
                    .put("numberMisscheduled", 0)
                    .put("desiredNumberScheduled", 0)
                    .put("numberReady", 0);
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode set, ObjectNode old) {
            boolean changed = !Trees.at(set, "spec", "template").equals(Trees.at(old, "spec", "template"));
            setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0));
            super.prepareForUpdate(context, set, old);
        }

        private static long templateGeneration(ObjectNode set) {
            return Trees.at(set, "metadata", "annotations", TEMPLATE_GENERATION).asLong();
        }

        private static void setTemplateGeneration(ObjectNode set, long generation) {
            Trees.child(metadata(set), "annotations").put(TEMPLATE_GENERATION, Long.toString(generation));
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode set) {
            var faults = new Faults();
            JsonNode spec = set.path("spec");
            Workloads.check(faults, "daemonset", spec);
            JsonNode strategy = spec.path("updateStrategy");
            faults.oneOf("spec.updateStrategy.type", strategy.path("type"), STRATEGIES);
            if (Trees.text(strategy, "type").equals("RollingUpdate")) {
                String at = "spec.updateStrategy.rollingUpdate";
                JsonNode rolling = strategy.path("rollingUpdate");
                Shares.check(faults, at + ".maxUnavailable", rolling.path("maxUnavailable"));
                Shares.check(faults, at + ".maxSurge", rolling.path("maxSurge"));
                boolean noneGoes = Shares.isZero(rolling.path("maxUnavailable"));
                boolean noneComes = Shares.isZero(rolling.path("maxSurge"));
                if (noneGoes && noneComes) {
                    faults.required(at + ".maxUnavailable", "cannot be 0 when maxSurge is 0");
                } else if (!noneGoes && !noneComes) {
                    faults.invalid(
                            at + ".maxSurge",
                            rolling.path("maxSurge"),
                            "may not be set when maxUnavailable is non-zero");
                }
                Shares.notAboveAll(faults, at + ".maxUnavailable", rolling.path("maxUnavailable"));
                Shares.notAboveAll(faults, at + ".maxSurge", rolling.path("maxSurge"));
            }
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
            Workloads.checkCounters(faults, set.path("status"), COUNTERS);
            return faults.list();
        }
    }
}
