package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule of {@code x-kubernetes-validations}, in the words of its author; what is not given is empty.
 *
 * @param rule a CEL expression over {@code self} and {@code oldSelf}
 * @param messageExpression a CEL expression that makes the message
 * @param fieldPath which field is at fault, below the value that the rule is about
 * @param reason the reason of the cause, such as {@code FieldValueInvalid}
 * @param optionalOldSelf whether {@code oldSelf} is an optional value, so that the rule holds for new values too
 */
public record ValidationRule(
        String rule,
        String message,
        String messageExpression,
        String fieldPath,
        String reason,
        boolean optionalOldSelf) {
    static List<ValidationRule> listOf(JsonNode schema) {
        var rules = new ArrayList<ValidationRule>();
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            rules.add(of(rule));
        }
        return List.copyOf(rules);
    }

    public static ValidationRule of(JsonNode rule) {
        return new ValidationRule(
                rule.path("rule").asText(),
                rule.path("message").asText(),
                rule.path("messageExpression").asText(),
                rule.path("fieldPath").asText(),
                rule.path("reason").asText(),
                rule.path("optionalOldSelf").asBoolean());
    }
}
