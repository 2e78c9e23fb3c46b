package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Tolerations of a pod spec: their rules, and those that every pod gets for a while of trouble on its node. */
final class Tolerations {
    private static final List<String> OPERATORS = List.of("Equal", "Exists", "Lt", "Gt");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final List<String> TROUBLES =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    /** How long a pod stays bound to a node that is not ready or not reachable. */
    private static final int TROUBLE_SECONDS = 300;

    private Tolerations() {}

    /** Adds the tolerations that every pod has unless it says otherwise. */
    static void addForTrouble(ObjectNode spec) {
        for (String trouble : TROUBLES) {
            if (Trees.objects(spec.path("tolerations")).stream().noneMatch(one -> covers(one, trouble))) {
                Trees.list(spec, "tolerations")
                        .addObject()
                        .put("key", trouble)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", TROUBLE_SECONDS);
            }
        }
    }

    private static boolean covers(ObjectNode toleration, String key) {
        String ownKey = Trees.text(toleration, "key");
        String effect = Trees.text(toleration, "effect");
        return (ownKey.isEmpty() || ownKey.equals(key)) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    static void check(Faults faults, String path, JsonNode tolerations) {
        int i = 0;
        for (ObjectNode toleration : Trees.objects(tolerations)) {
            checkOne(faults, path + "[" + i++ + "]", toleration);
        }
    }

    private static void checkOne(Faults faults, String at, ObjectNode toleration) {
        String key = Trees.text(toleration, "key");
        String operator = Trees.text(toleration, "operator");
        if (!key.isEmpty()) {
            faults.rule(at + ".key", key, Names::labelKey);
        } else if (!operator.equals("Exists")) {
            faults.invalid(
                    at + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.has("tolerationSeconds")
                && !Trees.text(toleration, "effect").equals("NoExecute")) {
            faults.invalid(
                    at + ".effect",
                    Trees.text(toleration, "effect"),
                    "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        if (operator.equals("Exists") && !Trees.text(toleration, "value").isEmpty()) {
            faults.invalid(
                    at + ".operator", toleration.path("value"), "value must be empty when `operator` is 'Exists'");
        }
        if (!operator.isEmpty()) {
            faults.oneOf(at + ".operator", toleration.path("operator"), OPERATORS);
        }
        if (!Trees.text(toleration, "effect").isEmpty()) {
            faults.oneOf(at + ".effect", toleration.path("effect"), EFFECTS);
        }
    }
}
