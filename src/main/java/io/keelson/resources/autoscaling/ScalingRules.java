package io.keelson.resources.autoscaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** How fast an autoscaler scales up and down. */
final class ScalingRules {
    private static final int PERIOD_SECONDS = 15;
    private static final int ALL_PERCENT = 100;
    private static final int PODS = 4;

    /** The longest look back and the longest period, in seconds. */
    private static final int MAX_WINDOW = 3600;

    private static final int MAX_PERIOD = 1800;
    private static final List<String> SELECT = List.of("Disabled", "Max", "Min");
    private static final List<String> POLICIES = List.of("Percent", "Pods");

    private ScalingRules() {}

    /** One direction given brings the other with it. */
    static void fill(ObjectNode behavior) {
        ObjectNode up = Trees.child(behavior, "scaleUp");
        Trees.fill(up, "stabilizationWindowSeconds", 0);
        Trees.fill(up, "selectPolicy", "Max");
        if (!Trees.has(up, "policies")) {
            ArrayNode policies = up.putArray("policies");
            policy(policies, "Pods", PODS);
            policy(policies, "Percent", ALL_PERCENT);
        }
        ObjectNode down = Trees.child(behavior, "scaleDown");
        Trees.fill(down, "selectPolicy", "Max");
        if (!Trees.has(down, "policies")) {
            policy(down.putArray("policies"), "Percent", ALL_PERCENT);
        }
    }

    private static void policy(ArrayNode policies, String type, int value) {
        policies.addObject().put("type", type).put("value", value).put("periodSeconds", PERIOD_SECONDS);
    }

    static void check(Faults faults, String at, JsonNode rules) {
        if (!rules.isObject()) {
            return;
        }
        JsonNode window = rules.path("stabilizationWindowSeconds");
        faults.notNegative(at + ".stabilizationWindowSeconds", window);
        if (window.asLong() > MAX_WINDOW) {
            faults.invalid(at + ".stabilizationWindowSeconds", window, "must be less than or equal to " + MAX_WINDOW);
        }
        faults.oneOfIfSet(at + ".selectPolicy", rules.path("selectPolicy"), SELECT);
        int i = 0;
        for (ObjectNode policy : Trees.objects(rules.path("policies"))) {
            String field = at + ".policies[" + i++ + "]";
            faults.oneOf(field + ".type", policy.path("type"), POLICIES);
            above(faults, field + ".value", policy.path("value"));
            above(faults, field + ".periodSeconds", policy.path("periodSeconds"));
            if (policy.path("periodSeconds").asLong() > MAX_PERIOD) {
                faults.invalid(
                        field + ".periodSeconds",
                        policy.path("periodSeconds"),
                        "must be less than or equal to " + MAX_PERIOD);
            }
        }
    }

    private static void above(Faults faults, String field, JsonNode number) {
        if (number.asLong() <= 0) {
            faults.invalid(field, number.asLong(), "must be greater than zero");
        }
    }
}
