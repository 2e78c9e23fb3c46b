package io.keelson.resources.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;

/** Roles and cluster roles: lists of what may be done. */
public final class Roles {
    static final String GROUP = "rbac.authorization.k8s.io";

    private static final Column CREATED = Column.of(
            "Created At",
            "date",
            "When the object was created.",
            (role, now) -> Trees.text(role, "metadata", "creationTimestamp"));

    private Roles() {}

    public static ResourceDefinition role() {
        return ResourceDefinition.of(GROUP, "v1", "Role", "roles")
                .nameRule(Names::pathSegment)
                .strategy(KindStrategy.of(Trait.NAMESPACED)
                        .check((faults, role) -> checkRules(faults, role, true))
                        .createOnUpdate()
                        .build())
                .defaults(Defaults.of(Roles::fill))
                .columns(CREATED)
                .build();
    }

    public static ResourceDefinition clusterRole() {
        return ResourceDefinition.of(GROUP, "v1", "ClusterRole", "clusterroles")
                .nameRule(Names::pathSegment)
                .strategy(KindStrategy.of()
                        .check((faults, role) -> checkRules(faults, role, false))
                        .check(Roles::checkAggregation)
                        .createOnUpdate()
                        .build())
                .defaults(Defaults.of(Roles::fill))
                .columns(CREATED)
                .build();
    }

    /** A role without rules says so. */
    private static void fill(ObjectNode role) {
        if (!role.has("rules")) {
            role.putNull("rules");
        }
    }

    private static void checkRules(Faults faults, ObjectNode role, boolean namespaced) {
        int i = 0;
        for (ObjectNode rule : Trees.objects(role.path("rules"))) {
            checkRule(faults, "rules[" + i++ + "]", rule, namespaced);
        }
    }

    private static void checkRule(Faults faults, String at, ObjectNode rule, boolean namespaced) {
        if (rule.path("verbs").isEmpty()) {
            faults.required(at + ".verbs", "verbs must contain at least one value");
        }
        JsonNode urls = rule.path("nonResourceURLs");
        boolean ofResources = !rule.path("apiGroups").isEmpty()
                || !rule.path("resources").isEmpty()
                || !rule.path("resourceNames").isEmpty();
        if (!urls.isEmpty()) {
            if (namespaced) {
                faults.invalid(at + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs");
            }
            if (ofResources) {
                faults.invalid(
                        at + ".nonResourceURLs",
                        urls,
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        if (rule.path("apiGroups").isEmpty()) {
            faults.required(at + ".apiGroups", "resource rules must supply at least one api group");
        }
        if (rule.path("resources").isEmpty()) {
            faults.required(at + ".resources", "resource rules must supply at least one resource");
        }
    }

    private static void checkAggregation(Faults faults, ObjectNode role) {
        JsonNode rule = role.path("aggregationRule");
        if (!rule.isObject()) {
            return;
        }
        JsonNode selectors = rule.path("clusterRoleSelectors");
        if (selectors.isEmpty()) {
            faults.required(
                    "aggregationRule.clusterRoleSelectors",
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        int i = 0;
        for (JsonNode selector : selectors) {
            Selectors.check(faults, "aggregationRule.clusterRoleSelectors[" + i++ + "]", selector);
        }
    }
}
