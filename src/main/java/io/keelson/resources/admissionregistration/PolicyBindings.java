package io.keelson.resources.admissionregistration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Bindings of admission policies: for which writes, and with which parameters, a policy is in force. */
public final class PolicyBindings {
    private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");
    private static final List<String> WITHOUT_PARAMETER = List.of("Allow", "Deny");

    private PolicyBindings() {}

    public static ResourceDefinition validating() {
        return definition("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", true);
    }

    public static ResourceDefinition mutating() {
        return definition("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", false);
    }

    private static ResourceDefinition definition(String kind, String plural, boolean validating) {
        return ResourceDefinition.of(Matching.GROUP, "v1", kind, plural)
                .categories(Matching.CATEGORY)
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .check((faults, binding) -> check(faults, binding, validating))
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(binding -> Matching.fillResources(Trees.at(binding, "spec", "matchResources"))))
                .columns(
                        Cells.text("PolicyName", "The policy.", "spec", "policyName"),
                        Column.of("ParamRef", "string", "Its parameters.", (binding, now) -> parameter(binding)),
                        Column.AGE)
                .build();
    }

    private static String parameter(ObjectNode binding) {
        JsonNode reference = Trees.at(binding, "spec", "paramRef");
        if (!reference.isObject()) {
            return Cells.UNSET;
        }
        String namespace = Trees.text(reference, "namespace");
        String name = Trees.text(reference, "name");
        return (namespace.isEmpty() ? "*" : namespace)
                + "/"
                + (name.isEmpty() ? Selectors.show(reference.path("selector")) : name);
    }

    private static void check(Faults faults, ObjectNode binding, boolean validating) {
        JsonNode spec = binding.path("spec");
        faults.present("spec.policyName", spec.path("policyName"));
        if (validating) {
            checkActions(faults, spec.path("validationActions"));
        }
        JsonNode reference = spec.path("paramRef");
        if (reference.isObject()) {
            boolean named = Trees.has(reference, "name");
            boolean selected = Trees.has(reference, "selector");
            if (named == selected) {
                String why = "name and selector are mutually exclusive, and one of them is required";
                faults.forbidden("spec.paramRef.name", why);
            }
            faults.oneOf(
                    "spec.paramRef.parameterNotFoundAction",
                    reference.path("parameterNotFoundAction"),
                    WITHOUT_PARAMETER);
        }
        JsonNode resources = spec.path("matchResources");
        if (resources.isObject()) {
            Matching.checkResources(faults, "spec.matchResources", resources);
        }
    }

    private static void checkActions(Faults faults, JsonNode actions) {
        if (actions.isEmpty()) {
            faults.required("spec.validationActions", "at least one validation action is required");
        }
        int i = 0;
        for (JsonNode action : actions) {
            faults.oneOf("spec.validationActions[" + i++ + "]", action, ACTIONS);
        }
        List<String> texts = Trees.texts(actions);
        if (texts.contains("Deny") && texts.contains("Warn")) {
            faults.invalid(
                    "spec.validationActions",
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
    }
}
