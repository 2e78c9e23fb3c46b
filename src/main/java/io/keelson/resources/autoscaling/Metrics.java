package io.keelson.resources.autoscaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The metrics that an autoscaler goes by: how they are judged and shown. */
final class Metrics {
    /** How many metrics a table cell shows. */
    private static final int SHOWN = 2;

    private static final String UNKNOWN = "<unknown>";

    /** The field that describes a metric, by its type. */
    private static final Map<String, String> FIELDS = Map.of(
            "ContainerResource", "containerResource",
            "External", "external",
            "Object", "object",
            "Pods", "pods",
            "Resource", "resource");

    private static final List<String> TARGETS = List.of("AverageValue", "Utilization", "Value");

    private Metrics() {}

    static void canonicalize(JsonNode metrics) {
        for (ObjectNode metric : Trees.objects(metrics)) {
            for (String field : FIELDS.values()) {
                if (Trees.at(metric, field, "target") instanceof ObjectNode target) {
                    Quantities.canonicalize(target, "averageValue");
                    Quantities.canonicalize(target, "value");
                }
            }
        }
    }

    static String show(JsonNode metrics, JsonNode present) {
        var shown = new ArrayList<String>();
        int i = 0;
        for (ObjectNode metric : Trees.objects(metrics)) {
            String field = FIELDS.get(Trees.text(metric, "type"));
            shown.add(field == null ? "<unknown type>" : show(metric, field, present.path(i)));
            i++;
        }
        if (shown.isEmpty()) {
            return Cells.NONE;
        }
        String text = String.join(", ", shown.subList(0, Math.min(SHOWN, shown.size())));
        return shown.size() > SHOWN ? text + " + " + (shown.size() - SHOWN) + " more..." : text;
    }

    private static String show(ObjectNode metric, String field, JsonNode present) {
        JsonNode target = Trees.at(metric, field, "target");
        JsonNode current = Trees.at(present, field, "current");
        boolean ofResource = field.equals("resource") || field.equals("containerResource");
        String name = ofResource ? Trees.text(metric, field, "name") + ": " : "";
        if (Trees.has(target, "averageValue")) {
            String average = ofResource || field.equals("pods") ? "" : " (avg)";
            return name + known(current, "averageValue") + "/" + Trees.text(target, "averageValue") + average;
        }
        if (ofResource) {
            String wanted =
                    Trees.has(target, "averageUtilization") ? Trees.text(target, "averageUtilization") + "%" : "<auto>";
            String now = Trees.has(current, "averageUtilization")
                    ? Trees.text(current, "averageUtilization") + "%"
                    : UNKNOWN;
            return name + now + "/" + wanted;
        }
        return known(current, "value") + "/" + Trees.text(target, "value");
    }

    private static String known(JsonNode current, String field) {
        return Trees.has(current, field) ? Trees.text(current, field) : UNKNOWN;
    }

    static void check(Faults faults, String path, JsonNode metrics) {
        int i = 0;
        for (ObjectNode metric : Trees.objects(metrics)) {
            String at = path + "[" + i++ + "]";
            String type = Trees.text(metric, "type");
            if (type.isEmpty()) {
                faults.required(at + ".type", "must specify a metric source type");
                continue;
            }
            String field = FIELDS.get(type);
            if (field == null) {
                faults.oneOf(at + ".type", metric.path("type"), List.copyOf(FIELDS.keySet()));
            } else if (!Trees.has(metric, field)) {
                faults.required(at + "." + field, "must populate information for the given metric source");
            } else {
                checkSource(faults, at + "." + field, field, metric.path(field));
            }
        }
    }

    private static void checkSource(Faults faults, String at, String field, JsonNode source) {
        if (field.equals("resource") || field.equals("containerResource")) {
            if (Trees.text(source, "name").isEmpty()) {
                faults.required(at + ".name", "must specify a resource name");
            }
            if (field.equals("containerResource")) {
                faults.present(at + ".container", source.path("container"));
            }
        } else {
            faults.present(at + ".metric.name", source.path("metric").path("name"));
        }
        JsonNode target = source.path("target");
        faults.oneOf(at + ".target.type", target.path("type"), TARGETS);
        List<String> values = List.of("averageUtilization", "averageValue", "value");
        if (values.stream().noneMatch(value -> Trees.has(target, value))) {
            faults.required(at + ".target", "must set a target value");
        }
        faults.positive(at + ".target.averageUtilization", target.path("averageUtilization"));
        for (String value : List.of("averageValue", "value")) {
            if (Trees.has(target, value)
                    && Quantities.valueOrZero(target.path(value)).signum() <= 0) {
                faults.invalid(at + ".target." + value, target.path(value), "must be positive");
            }
        }
    }
}
