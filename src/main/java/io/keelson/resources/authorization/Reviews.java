package io.keelson.resources.authorization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Locale;

/**
 * What {@code kubectl auth can-i} and {@code auth whoami} ask. Nobody is told apart and nothing is forbidden here, and the
 * answers say so: they are those of kube-apiserver with anonymous requests and the mode AlwaysAllow.
 */
public final class Reviews {
    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String ANONYMOUS = "system:anonymous";
    private static final String UNAUTHENTICATED = "system:unauthenticated";

    private Reviews() {}

    /** All reviews, group by group. */
    public static List<RestStorage> all() {
        return List.of(
                new ReviewRest(global(AUTHENTICATION, "SelfSubjectReview"), (review, faults) -> whoAmI(review)),
                new ReviewRest(global(AUTHENTICATION, "TokenReview"), Reviews::token),
                new ReviewRest(namespaced(AUTHORIZATION, "LocalSubjectAccessReview"), Reviews::subjectAccess),
                new ReviewRest(global(AUTHORIZATION, "SelfSubjectAccessReview"), Reviews::access),
                new ReviewRest(global(AUTHORIZATION, "SelfSubjectRulesReview"), Reviews::rules),
                new ReviewRest(global(AUTHORIZATION, "SubjectAccessReview"), Reviews::subjectAccess));
    }

    private static ResourceDefinition global(String group, String kind) {
        return definition(group, kind).strategy(new BasicStrategy()).build();
    }

    private static ResourceDefinition namespaced(String group, String kind) {
        return definition(group, kind).build();
    }

    private static ResourceDefinition.Builder definition(String group, String kind) {
        return ResourceDefinition.of(group, "v1", kind, kind.toLowerCase(Locale.ROOT) + "s");
    }

    private static void whoAmI(ObjectNode review) {
        ObjectNode user = review.putObject("status").putObject("userInfo");
        user.put("username", ANONYMOUS).putArray("groups").add(UNAUTHENTICATED);
    }

    private static void token(ObjectNode review, Faults faults) {
        if (Trees.text(review, "spec", "token").isEmpty()) {
            faults.required("spec.token", "");
            return;
        }
        ObjectNode status = review.putObject("status");
        status.putObject("user");
        status.put("error", "this server does not authenticate");
    }

    private static void subjectAccess(ObjectNode review, Faults faults) {
        JsonNode spec = review.path("spec");
        if (spec.path("user").asText().isEmpty() && spec.path("groups").isEmpty()) {
            faults.invalid("spec.user", "", "at least one of user or group must be specified");
        }
        access(review, faults);
    }

    private static void access(ObjectNode review, Faults faults) {
        boolean resource = review.path("spec").hasNonNull("resourceAttributes");
        boolean path = review.path("spec").hasNonNull("nonResourceAttributes");
        if (resource && path) {
            faults.invalid(
                    "spec.nonResourceAttributes",
                    review.path("spec").path("nonResourceAttributes"),
                    "cannot be specified in combination with resourceAttributes");
        } else if (!resource && !path) {
            faults.invalid(
                    "spec.resourceAttributes",
                    null,
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        review.putObject("status").put("allowed", true).put("reason", "this server allows everything to everyone");
    }

    private static void rules(ObjectNode review, Faults faults) {
        if (Trees.text(review, "spec", "namespace").isEmpty()) {
            faults.required("spec.namespace", "rules are those of one namespace");
        }
        ObjectNode status = review.putObject("status");
        ObjectNode resources = status.putArray("resourceRules").addObject();
        for (String field : List.of("verbs", "apiGroups", "resources")) {
            resources.putArray(field).add("*");
        }
        ObjectNode paths = status.putArray("nonResourceRules").addObject();
        paths.putArray("verbs").add("*");
        paths.putArray("nonResourceURLs").add("*");
        status.put("incomplete", false);
    }
}
