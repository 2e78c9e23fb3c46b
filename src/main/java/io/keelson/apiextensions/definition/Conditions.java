package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The conditions in the status of a CustomResourceDefinition. Stateless. */
public final class Conditions {
    public static final String NAMES_ACCEPTED = "NamesAccepted";
    public static final String ESTABLISHED = "Established";
    public static final String TERMINATING = "Terminating";
    public static final String APPROVED = "KubernetesAPIApprovalPolicyConformant";

    private Conditions() {}

    public static boolean isTrue(JsonNode crd, String type) {
        JsonNode condition = find(crd, type);
        return condition != null && condition.path("status").asText().equals("True");
    }

    static @Nullable ObjectNode find(JsonNode crd, String type) {
        for (JsonNode condition : crd.path("status").path("conditions")) {
            if (condition instanceof ObjectNode found
                    && found.path("type").asText().equals(type)) {
                return found;
            }
        }
        return null;
    }

    /** Sets a condition; its time moves only when its status does. */
    public static void set(ObjectNode crd, String type, boolean status, String reason, String message, Instant now) {
        String word = status ? "True" : "False";
        ObjectNode condition = find(crd, type);
        if (condition == null) {
            ObjectNode holder = crd.get("status") instanceof ObjectNode there ? there : crd.putObject("status");
            ArrayNode conditions =
                    holder.get("conditions") instanceof ArrayNode array ? array : holder.putArray("conditions");
            condition = conditions.addObject();
        }
        if (!condition.path("status").asText().equals(word)) {
            condition.put(
                    "lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        condition
                .put("message", message)
                .put("reason", reason)
                .put("status", word)
                .put("type", type);
    }
}
