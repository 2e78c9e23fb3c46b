package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class AccessAndPolicyTest {
    private final TestingKind roles = TestingKind.of("Role");
    private final TestingKind clusterRoles = TestingKind.of("ClusterRole");
    private final TestingKind bindings = TestingKind.of("RoleBinding");
    private final TestingKind clusterBindings = TestingKind.of("ClusterRoleBinding");
    private final TestingKind budgets = TestingKind.of("PodDisruptionBudget");
    private final TestingKind priorities = TestingKind.of("PriorityClass");

    @Test
    void roles_show_when_they_were_made_and_rules_even_where_there_are_none() {
        ObjectNode role = clusterRoles.created("{'rules':[]}");
        assertThat(role.get("rules").isNull()).isTrue();
        assertThat(role.at("/metadata/generation").isMissingNode()).isTrue();
        assertThat(clusterRoles.cells(role)).containsExactly("x", "2026-01-01T00:00:00Z");
        assertThat(roles.definition().nameRule().apply("system:node")).isEmpty();
        assertThat(roles.definition().strategy().allowCreateOnUpdate()).isTrue();
    }

    @Test
    void rules_are_about_resources_or_urls() {
        assertThat(roles.faults("{'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}"))
                .isEmpty();
        assertThat(roles.faults("{'rules':[{}]}"))
                .containsExactly(
                        "rules[0].verbs: Required value: verbs must contain at least one value",
                        "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
                        "rules[0].resources: Required value: resource rules must supply at least one resource");
        String urls = "{'rules':[{'verbs':['get'],'nonResourceURLs':['/healthz']}]}";
        assertThat(clusterRoles.faults(urls)).isEmpty();
        assertThat(roles.faults(urls)).hasSize(1);
        assertThat(clusterRoles.faults("{'aggregationRule':{}}")).hasSize(1);
    }

    @Test
    void bindings_say_who_has_which_role() {
        ObjectNode binding = bindings.created("{'roleRef':{'kind':'Role','name':'r'},'subjects':["
                + "{'kind':'ServiceAccount','name':'a'},{'kind':'User','name':'u'},{'kind':'User','name':'v'},"
                + "{'kind':'Group','name':'g'}]}");
        assertThat(binding.path("roleRef"))
                .isEqualTo(json("{'kind':'Role','name':'r','apiGroup':'rbac.authorization.k8s.io'}"));
        assertThat(binding.at("/subjects/0")).isEqualTo(json("{'kind':'ServiceAccount','name':'a'}"));
        assertThat(binding.at("/subjects/3/apiGroup").asText()).isEqualTo("rbac.authorization.k8s.io");
        assertThat(bindings.cells(binding)).containsExactly("x", "Role/r", "60s", "u, v", "g", "/a");
        assertThat(bindings.updateFaults(binding, it -> ((ObjectNode) it.get("roleRef")).put("name", "s")))
                .singleElement()
                .asString()
                .startsWith("roleRef: Invalid value")
                .endsWith("cannot change roleRef");
    }

    @Test
    void bindings_name_roles_and_subjects_that_can_be() {
        assertThat(bindings.faults("{'roleRef':{'kind':'Role'}}")).containsExactly("roleRef.name: Required value");
        assertThat(
                        clusterBindings.faults(
                                "{'roleRef':{'kind':'Role','name':'r'},'subjects':[{'kind':'ServiceAccount','name':'a'},{'kind':'Robot','name':'b'}]}"))
                .containsExactly(
                        "roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\"",
                        "subjects[0].namespace: Required value",
                        "subjects[1].kind: Unsupported value: \"Robot\": supported values: \"Group\", \"ServiceAccount\", \"User\"");
    }

    @Test
    void a_budget_counts_from_zero_and_has_one_bound() {
        ObjectNode budget = budgets.created("{'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'a'}}}}");
        assertThat(budget.path("status"))
                .isEqualTo(json("{'currentHealthy':0,'desiredHealthy':0,'disruptionsAllowed':0,'expectedPods':0}"));
        assertThat(budgets.cells(budget)).containsExactly("x", "1", "N/A", 0L, "60s");
        assertThat(budgets.faults("{'spec':{'minAvailable':1,'maxUnavailable':'50%'}}"))
                .hasSize(1);
        assertThat(budgets.faults("{'spec':{'maxUnavailable':'150%'}}")).hasSize(1);
        assertThat(budgets.faults("{'spec':{'minAvailable':-1}}")).hasSize(1);
        assertThat(budgets.definition().strategy().allowUnconditionalUpdate()).isFalse();
    }

    @Test
    void a_priority_stays_and_the_highest_are_the_systems() {
        ObjectNode one = priorities.created("{'value':10}");
        assertThat(one.path("preemptionPolicy").asText()).isEqualTo("PreemptLowerPriority");
        assertThat(priorities.cells(one)).containsExactly("x", 10L, false, "60s", "PreemptLowerPriority");
        assertThat(priorities.updateFaults(one, it -> it.put("value", 11)))
                .containsExactly("value: Forbidden: may not be changed in an update.");
        assertThat(priorities.faults("{'value':1000000001}")).hasSize(1);
        assertThat(priorities.faults("{'metadata':{'name':'system-mine'}}")).hasSize(1);
        assertThat(priorities.faults("{'metadata':{'name':'system-node-critical'},'value':2000001000}"))
                .isEmpty();
    }
}
