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
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Validating and mutating admission policies: expressions that judge or change writes. */
public final class AdmissionPolicies {
    private static final List<String> PATCH_TYPES = List.of("ApplyConfiguration", "JSONPatch");
    private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");

    private AdmissionPolicies() {}

    public static ResourceDefinition validating() {
        return ResourceDefinition.of(Matching.GROUP, "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies")
                .categories(Matching.CATEGORY)
                .strategy(KindStrategy.of(Trait.STATUS, Trait.GENERATION)
                        .check(AdmissionPolicies::check)
                        .check(AdmissionPolicies::checkValidations)
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(AdmissionPolicies::fill))
                .columns(count("Validations", "How many validations there are.", "validations"), PARAM_KIND, Column.AGE)
                .build();
    }

    public static ResourceDefinition mutating() {
        return ResourceDefinition.of(Matching.GROUP, "v1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies")
                .categories(Matching.CATEGORY)
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .check(AdmissionPolicies::check)
                        .check(AdmissionPolicies::checkMutations)
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(AdmissionPolicies::fill))
                .columns(count("Mutations", "How many mutations there are.", "mutations"), PARAM_KIND, Column.AGE)
                .build();
    }

    private static final Column PARAM_KIND =
            Column.of("ParamKind", "string", "The kind of its parameters.", (policy, now) -> {
                JsonNode kind = Trees.at(policy, "spec", "paramKind");
                return kind.isObject() ? Trees.text(kind, "apiVersion") + "/" + Trees.text(kind, "kind") : Cells.UNSET;
            });

    private static Column count(String name, String description, String field) {
        return Column.of(
                name,
                "integer",
                description,
                (policy, now) -> Trees.at(policy, "spec", field).size());
    }

    private static void fill(ObjectNode policy) {
        ObjectNode spec = Trees.child(policy, "spec");
        Trees.fill(spec, "failurePolicy", "Fail");
        Matching.fillResources(spec.path("matchConstraints"));
    }

    private static void check(Faults faults, ObjectNode policy) {
        JsonNode spec = policy.path("spec");
        faults.oneOf("spec.failurePolicy", spec.path("failurePolicy"), Matching.FAILURE_POLICIES);
        JsonNode constraints = spec.path("matchConstraints");
        if (!constraints.isObject()) {
            faults.required("spec.matchConstraints", "");
        } else {
            if (constraints.path("resourceRules").isEmpty()) {
                faults.required("spec.matchConstraints.resourceRules", "");
            }
            Matching.checkResources(faults, "spec.matchConstraints", constraints);
        }
        Matching.checkConditions(faults, "spec", spec);
        JsonNode kind = spec.path("paramKind");
        if (kind.isObject()) {
            faults.present("spec.paramKind.apiVersion", kind.path("apiVersion"));
            faults.present("spec.paramKind.kind", kind.path("kind"));
        }
        int i = 0;
        for (ObjectNode variable : Trees.objects(spec.path("variables"))) {
            String at = "spec.variables[" + i++ + "]";
            faults.present(at + ".name", variable.path("name"));
            faults.present(at + ".expression", variable.path("expression"));
        }
    }

    private static void checkValidations(Faults faults, ObjectNode policy) {
        JsonNode spec = policy.path("spec");
        if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
            String why = "validations or auditAnnotations must contain at least one item";
            faults.required("spec.validations", why);
            faults.required("spec.auditAnnotations", why);
        }
        int i = 0;
        for (ObjectNode validation : Trees.objects(spec.path("validations"))) {
            String at = "spec.validations[" + i++ + "].expression";
            if (Trees.text(validation, "expression").isBlank()) {
                faults.required(at, "expression is not specified");
            }
        }
        i = 0;
        for (ObjectNode annotation : Trees.objects(spec.path("auditAnnotations"))) {
            String at = "spec.auditAnnotations[" + i++ + "]";
            faults.present(at + ".key", annotation.path("key"));
            faults.present(at + ".valueExpression", annotation.path("valueExpression"));
        }
    }

    private static void checkMutations(Faults faults, ObjectNode policy) {
        JsonNode spec = policy.path("spec");
        if (spec.path("mutations").isEmpty()) {
            faults.required("spec.mutations", "mutations must contain at least one item");
        }
        int i = 0;
        for (ObjectNode mutation : Trees.objects(spec.path("mutations"))) {
            faults.oneOf("spec.mutations[" + i++ + "].patchType", mutation.path("patchType"), PATCH_TYPES);
        }
        faults.oneOf("spec.reinvocationPolicy", spec.path("reinvocationPolicy"), REINVOCATIONS);
    }
}
