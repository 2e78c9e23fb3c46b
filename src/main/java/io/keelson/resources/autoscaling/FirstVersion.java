package io.keelson.resources.autoscaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.registry.VersionConverter;
import io.keelson.resources.fields.Trees;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Version 1 of autoscalers, which knows one metric, the utilization of the CPU. What else an autoscaler says is kept in
 * annotations, under the names and in the forms that kube-apiserver gives it.
 */
final class FirstVersion implements VersionConverter {
    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String METRICS = PREFIX + "metrics";
    private static final String BEHAVIOR = PREFIX + "behavior";
    private static final String CURRENT_METRICS = PREFIX + "current-metrics";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final List<String> ANNOTATIONS = List.of(METRICS, BEHAVIOR, CURRENT_METRICS, CONDITIONS);

    /** What stands for {@code target} in a spec and for {@code current} in a status. */
    private static final String WORD = "%";

    /** Where the fields of a metric in an annotation are in version 2, by the field that describes the metric. */
    private static final Map<String, Map<String, String>> FIELDS = Map.of(
            "resource",
                    fields(
                            "name",
                            "name",
                            "%AverageUtilization",
                            "%.averageUtilization",
                            "%AverageValue",
                            "%.averageValue"),
            "containerResource",
                    fields(
                            "name",
                            "name",
                            "container",
                            "container",
                            "%AverageUtilization",
                            "%.averageUtilization",
                            "%AverageValue",
                            "%.averageValue"),
            "pods",
                    fields(
                            "metricName",
                            "metric.name",
                            "selector",
                            "metric.selector",
                            "%AverageValue",
                            "%.averageValue"),
            "object",
                    fields(
                            "target",
                            "describedObject",
                            "metricName",
                            "metric.name",
                            "selector",
                            "metric.selector",
                            "%Value",
                            "%.value",
                            "averageValue",
                            "%.averageValue"),
            "external",
                    fields(
                            "metricName",
                            "metric.name",
                            "metricSelector",
                            "metric.selector",
                            "%Value",
                            "%.value",
                            "%AverageValue",
                            "%.averageValue"));

    private static Map<String, String> fields(String... pairs) {
        var fields = new LinkedHashMap<String, String>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put(pairs[i], pairs[i + 1]);
        }
        return fields;
    }

    @Override
    public ObjectNode fromStored(ObjectNode stored) {
        if (stored.path("spec") instanceof ObjectNode spec) {
            JsonNode others =
                    withoutCpu(spec.remove("metrics"), "target", spec, "targetCPUUtilizationPercentage", true);
            annotate(stored, METRICS, others);
            annotate(stored, BEHAVIOR, orMissing(spec.remove("behavior")));
        }
        if (stored.path("status") instanceof ObjectNode status) {
            JsonNode all = withoutCpu(
                    status.remove("currentMetrics"), "current", status, "currentCPUUtilizationPercentage", false);
            annotate(stored, CURRENT_METRICS, all);
            annotate(stored, CONDITIONS, orMissing(status.remove("conditions")));
            Trees.fill(status, "currentReplicas", 0);
        }
        return stored;
    }

    @Override
    public ObjectNode toStored(ObjectNode served) {
        JsonNode metrics = annotated(served, METRICS);
        JsonNode behavior = annotated(served, BEHAVIOR);
        JsonNode current = annotated(served, CURRENT_METRICS);
        JsonNode conditions = annotated(served, CONDITIONS);
        if (Trees.at(served, "metadata", "annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATIONS);
            if (annotations.isEmpty()) {
                ((ObjectNode) served.path("metadata")).remove("annotations");
            }
        }
        if (served.path("spec") instanceof ObjectNode spec) {
            ArrayNode all = secondForm(metrics, "target");
            JsonNode percent = spec.remove("targetCPUUtilizationPercentage");
            if (percent != null && percent.isNumber()) {
                cpu(all, "target").put("type", "Utilization").set("averageUtilization", percent);
            }
            setUnlessEmpty(spec, "metrics", all);
            setUnlessEmpty(spec, "behavior", behavior);
        }
        if (served.path("status") instanceof ObjectNode status) {
            ArrayNode all = secondForm(current, "current");
            JsonNode percent = status.remove("currentCPUUtilizationPercentage");
            if (percent != null && percent.isNumber() && all.isEmpty()) {
                cpu(all, "current").set("averageUtilization", percent);
            }
            if (all.isEmpty()) {
                status.putNull("currentMetrics");
            } else {
                status.set("currentMetrics", all);
            }
            setUnlessEmpty(status, "conditions", conditions);
            if (status.path("currentReplicas").asLong() == 0) {
                status.remove("currentReplicas");
            }
        }
        return served;
    }

    /** The CPU's values as the last of some metrics. */
    private static ObjectNode cpu(ArrayNode metrics, String word) {
        ObjectNode metric = metrics.addObject().put("type", "Resource");
        return metric.putObject("resource").put("name", "cpu").putObject(word);
    }

    /**
     * Sets the field of the CPU from the metrics of version 2, and returns them in the form of annotations.
     *
     * @param alone whether the field alone says it, so that the metric is left out of the rest
     */
    private static JsonNode withoutCpu(
            @Nullable JsonNode metrics, String word, ObjectNode to, String field, boolean alone) {
        ArrayNode rest = to.arrayNode();
        for (ObjectNode metric : Trees.objects(orMissing(metrics))) {
            JsonNode utilization = Trees.at(metric, "resource", word, "averageUtilization");
            boolean cpu = Trees.text(metric, "type").equals("Resource")
                    && Trees.text(metric, "resource", "name").equals("cpu")
                    && utilization.isNumber()
                    && !to.has(field);
            if (cpu) {
                to.set(field, utilization);
            }
            if (!cpu || !alone) {
                rest.add(firstForm(metric, word));
            }
        }
        return rest;
    }

    private static ObjectNode firstForm(ObjectNode metric, String word) {
        ObjectNode made = metric.objectNode().put("type", Trees.text(metric, "type"));
        FIELDS.forEach((name, fields) -> {
            if (metric.path(name) instanceof ObjectNode source) {
                ObjectNode target = made.putObject(name);
                fields.forEach((first, second) -> {
                    JsonNode value = Trees.at(source, second.replace(WORD, word).split("\\.", -1));
                    if (!value.isMissingNode()) {
                        target.set(first.replace(WORD, word), value);
                    }
                });
            }
        });
        return made;
    }

    private static ArrayNode secondForm(JsonNode metrics, String word) {
        ArrayNode all = Json.object().arrayNode();
        for (ObjectNode metric : Trees.objects(metrics)) {
            ObjectNode made = all.addObject().put("type", Trees.text(metric, "type"));
            FIELDS.forEach((name, fields) -> {
                if (metric.path(name) instanceof ObjectNode source) {
                    ObjectNode target = made.putObject(name);
                    fields.forEach((first, second) ->
                            put(target, second.replace(WORD, word), source.path(first.replace(WORD, word))));
                    if (word.equals("target")) {
                        Trees.child(target, word).put("type", targetType(target.path(word)));
                    }
                }
            });
        }
        return all;
    }

    private static String targetType(JsonNode target) {
        if (target.has("averageUtilization")) {
            return "Utilization";
        }
        return target.has("averageValue") ? "AverageValue" : "Value";
    }

    private static void put(ObjectNode object, String path, JsonNode value) {
        if (value.isMissingNode()) {
            return;
        }
        int dot = path.indexOf('.');
        if (dot < 0) {
            object.set(path, value);
        } else {
            Trees.child(object, path.substring(0, dot)).set(path.substring(dot + 1), value);
        }
    }

    private static void annotate(ObjectNode object, String name, JsonNode value) {
        if (!value.isEmpty()) {
            Trees.child(object, "metadata", "annotations")
                    .put(name, new String(Json.write(value), StandardCharsets.UTF_8));
        }
    }

    /** What an annotation says; nothing where it is no JSON, as someone may have written anything there. */
    private static JsonNode annotated(ObjectNode object, String name) {
        String text = Trees.text(object, "metadata", "annotations", name);
        if (text.isEmpty()) {
            return object.missingNode();
        }
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            return object.missingNode();
        }
    }

    private static void setUnlessEmpty(ObjectNode object, String field, JsonNode value) {
        if (!value.isEmpty()) {
            object.set(field, value);
        }
    }

    private static JsonNode orMissing(@Nullable JsonNode value) {
        return value == null ? MissingNode.getInstance() : value;
    }
}
