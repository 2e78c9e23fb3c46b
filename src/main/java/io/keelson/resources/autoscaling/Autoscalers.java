package io.keelson.resources.autoscaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.OwnedFieldNames;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.StoredVersion;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Map;

/** Horizontal pod autoscalers: how many pods something is to have. Stored as version 2; version 1 knows the CPU only. */
public final class Autoscalers {
    private static final String KIND = "HorizontalPodAutoscaler";
    private static final String PLURAL = "horizontalpodautoscalers";
    private static final int TARGET_CPU_PERCENT = 80;

    private Autoscalers() {}

    public static ResourceDefinition v2() {
        return ResourceDefinition.of("autoscaling", "v2", KIND, PLURAL)
                .shortNames("hpa")
                .categories("all")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.STATUS)
                        .initialStatus(
                                status -> status.put("desiredReplicas", 0).putNull("currentMetrics"))
                        .check(Autoscalers::check)
                        .build())
                .defaults(Defaults.of(Autoscalers::fill))
                .ownedFieldNames(new OwnedFieldNames(Map.of(
                        "autoscaling/v1",
                        Map.of(
                                "spec.metrics",
                                "spec.targetCPUUtilizationPercentage",
                                "status.currentMetrics",
                                "status.currentCPUUtilizationPercentage"))))
                .columns(
                        Column.of(
                                "Reference",
                                "string",
                                "What is scaled.",
                                (one, now) -> Trees.text(one, "spec", "scaleTargetRef", "kind") + "/"
                                        + Trees.text(one, "spec", "scaleTargetRef", "name")),
                        Column.of(
                                "Targets",
                                "string",
                                "The present and the wanted value of each metric.",
                                (one, now) -> Metrics.show(
                                        Trees.at(one, "spec", "metrics"), Trees.at(one, "status", "currentMetrics"))),
                        Column.of("MinPods", "string", "How many pods there are at least.", (one, now) -> minimum(one)),
                        count("MaxPods", "How many pods there are at most.", "spec", "maxReplicas"),
                        count("Replicas", "How many pods there are.", "status", "currentReplicas"),
                        Column.AGE)
                .build();
    }

    public static ResourceDefinition v1() {
        return ResourceDefinition.of("autoscaling", "v1", KIND, PLURAL)
                .shortNames("hpa")
                .categories("all")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.STATUS).build())
                .defaults(Defaults.of(one -> Trees.fill(Trees.child(one, "spec"), "minReplicas", 1)))
                .storedAs(new StoredVersion(v2(), new FirstVersion(), Map.of()))
                .columnsOfStored()
                .build();
    }

    private static Column count(String name, String description, String... path) {
        return Column.of(
                name, "string", description, (one, now) -> Trees.at(one, path).asLong());
    }

    private static String minimum(ObjectNode one) {
        JsonNode minimum = Trees.at(one, "spec", "minReplicas");
        return minimum.isNumber() ? minimum.asText() : Cells.UNSET;
    }

    private static void fill(ObjectNode one) {
        ObjectNode spec = Trees.child(one, "spec");
        Trees.fill(spec, "minReplicas", 1);
        if (!Trees.has(spec, "metrics")) {
            ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
            metric.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", TARGET_CPU_PERCENT);
        }
        Metrics.canonicalize(spec.path("metrics"));
        if (spec.path("behavior") instanceof ObjectNode behavior) {
            ScalingRules.fill(behavior);
        }
        // The status, which it has from the start, lists no metrics by saying so.
        if (one.path("status") instanceof ObjectNode status && !status.has("currentMetrics")) {
            status.putNull("currentMetrics");
        }
    }

    private static void check(Faults faults, ObjectNode one) {
        JsonNode spec = one.path("spec");
        JsonNode minimum = spec.path("minReplicas");
        JsonNode maximum = spec.path("maxReplicas");
        if (minimum.asLong() < 1) {
            faults.invalid("spec.minReplicas", minimum, "must be greater than or equal to 1");
        }
        if (maximum.asLong() < 1) {
            faults.required("spec.maxReplicas", "must be set and greater than 0");
        }
        if (maximum.asLong() < minimum.asLong()) {
            faults.invalid("spec.maxReplicas", maximum.asLong(), "must be greater than or equal to `minReplicas`");
        }
        JsonNode target = spec.path("scaleTargetRef");
        faults.presentByRule("spec.scaleTargetRef.kind", target.path("kind"), Names::pathSegment);
        faults.presentByRule("spec.scaleTargetRef.name", target.path("name"), Names::pathSegment);
        checkGroup(faults, target);
        Metrics.check(faults, "spec.metrics", spec.path("metrics"));
        for (String direction : List.of("scaleUp", "scaleDown")) {
            ScalingRules.check(faults, "spec.behavior." + direction, Trees.at(spec, "behavior", direction));
        }
    }

    /** All that can be scaled is of a group, but for the core group's replication controllers. */
    private static void checkGroup(Faults faults, JsonNode target) {
        String version = Trees.text(target, "apiVersion");
        boolean core = version.equals("v1") && Trees.text(target, "kind").equals("ReplicationController");
        if (version.indexOf('/') <= 0 && !core) {
            faults.invalid("spec.scaleTargetRef.apiVersion", version, "apiVersion must specify API group");
        }
    }
}
