package io.keelson.apiextensions.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.apiextensions.cel.Rules.BadRuleException;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.apiextensions.structural.ValidationRule;
import java.util.ArrayList;
import java.util.List;

/** The rules that rules keep: they compile, say something where they are broken, and compare only what can be compared. */
public final class RuleCheck {
    private static final List<String> REASONS =
            List.of("FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid", "FieldValueDuplicate");

    private final List<FieldError> errors = new ArrayList<>();

    private RuleCheck() {}

    /** What is wrong with the rules in the schema of a resource, which is structural. */
    public static List<FieldError> validate(JsonNode schema, Path path) {
        StructuralSchema compiled = StructuralSchema.ofResource(schema);
        if (!compiled.hasRules()) {
            return List.of();
        }
        var check = new RuleCheck();
        check.node(schema, compiled, path, true);
        return check.errors;
    }

    /** @param comparable whether an update can tell which value was there before */
    private void node(JsonNode text, StructuralSchema schema, Path path, boolean comparable) {
        if (!schema.hasRules()) {
            return;
        }
        JsonNode rules = text.path("x-kubernetes-validations");
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.path(i), schema, path.child("x-kubernetes-validations").index(i), comparable);
        }
        for (var property : text.path("properties").properties()) {
            StructuralSchema child = schema.declared(property.getKey());
            if (child != null) {
                node(property.getValue(), child, path.child("properties").key(property.getKey()), comparable);
            }
        }
        if (schema.itemSchema() != null) {
            boolean keyed = schema.listType() == StructuralSchema.ListType.MAP;
            node(text.path("items"), schema.itemSchema(), path.child("items"), comparable && keyed);
        }
        if (schema.valueSchema() != null) {
            node(
                    text.path("additionalProperties"),
                    schema.valueSchema(),
                    path.child("additionalProperties"),
                    comparable);
        }
    }

    private void rule(JsonNode text, StructuralSchema schema, Path path, boolean comparable) {
        ValidationRule rule = ValidationRule.of(text);
        if (rule.rule().isBlank()) {
            errors.add(FieldError.required(path.child("rule").toString(), "rule is not specified"));
            return;
        }
        message(text, rule, path);
        if (text.has("reason") && !REASONS.contains(rule.reason())) {
            errors.add(FieldError.notSupported(path.child("reason").toString(), rule.reason(), REASONS));
        }
        if (text.has("fieldPath")) {
            fieldPath(rule, schema, path.child("fieldPath"));
        }
        boolean usesOld = Rules.usesOldSelf(rule.rule());
        if (usesOld && !comparable && !rule.optionalOldSelf()) {
            errors.add(FieldError.invalid(
                    path.child("rule").toString(),
                    rule.rule(),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema"));
            return;
        }
        if (rule.optionalOldSelf() && !usesOld) {
            errors.add(FieldError.invalid(
                    path.child("optionalOldSelf").toString(), true, "may not be set if oldSelf is not used in rule"));
        }
        try {
            var _ = Rules.compile(schema, rule);
        } catch (BadRuleException e) {
            if (e.inMessage()) {
                errors.add(FieldError.invalid(
                        path.child("messageExpression").toString(),
                        shown(text),
                        String.valueOf(e.getMessage())
                                .replace("compilation failed", "messageExpression compilation failed")));
            } else {
                errors.add(
                        FieldError.invalid(path.child("rule").toString(), shown(text), String.valueOf(e.getMessage())));
            }
        }
    }

    private void message(JsonNode text, ValidationRule rule, Path path) {
        String field = path.child("message").toString();
        if (text.has("message") && !rule.message().isEmpty() && rule.message().isBlank()) {
            errors.add(FieldError.invalid(field, rule.message(), "message must be non-empty if specified"));
        } else if (rule.message().strip().indexOf('\n') >= 0) {
            errors.add(FieldError.invalid(field, rule.message(), "message must not contain line breaks"));
        } else if (rule.rule().strip().indexOf('\n') >= 0 && rule.message().isBlank()) {
            errors.add(FieldError.required(field, "message must be specified if rule contains line breaks"));
        }
        if (text.has("messageExpression") && rule.messageExpression().isBlank()) {
            errors.add(FieldError.required(
                    path.child("messageExpression").toString(), "messageExpression must be non-empty if specified"));
        }
    }

    private void fieldPath(ValidationRule rule, StructuralSchema schema, Path path) {
        String given = rule.fieldPath();
        if (given.isBlank()) {
            errors.add(FieldError.invalid(path.toString(), given, "fieldPath must be non-empty if specified"));
            return;
        }
        if (given.indexOf('\n') >= 0) {
            errors.add(FieldError.invalid(path.toString(), given, "fieldPath must not contain line breaks"));
            return;
        }
        if (!leadsSomewhere(given, schema)) {
            errors.add(FieldError.invalid(
                    path.toString(), given, "fieldPath must be a valid path: does not refer to a valid field"));
        }
    }

    private static boolean leadsSomewhere(String fieldPath, StructuralSchema from) {
        StructuralSchema here = from;
        int at = 0;
        while (at < fieldPath.length()) {
            String name;
            if (fieldPath.startsWith("['", at) && fieldPath.indexOf("']", at) > 0) {
                int end = fieldPath.indexOf("']", at);
                name = fieldPath.substring(at + 2, end);
                at = end + 2;
            } else if (fieldPath.charAt(at) == '.') {
                int end = at + 1;
                while (end < fieldPath.length() && fieldPath.charAt(end) != '.' && fieldPath.charAt(end) != '[') {
                    end++;
                }
                name = fieldPath.substring(at + 1, end);
                at = end;
            } else {
                return false;
            }
            here = here.child(name);
            if (here == null) {
                return false;
            }
        }
        return true;
    }

    /** A rule as kube-apiserver shows it, by the names of its source. */
    private static ObjectNode shown(JsonNode text) {
        ObjectNode shown = Json.object();
        shown.put("Rule", text.path("rule").asText())
                .put("Message", text.path("message").asText())
                .put("MessageExpression", text.path("messageExpression").asText());
        shown.set("Reason", text.has("reason") ? text.get("reason") : NullNode.getInstance());
        shown.put("FieldPath", text.path("fieldPath").asText());
        shown.set(
                "OptionalOldSelf", text.has("optionalOldSelf") ? text.get("optionalOldSelf") : NullNode.getInstance());
        return shown;
    }
}
