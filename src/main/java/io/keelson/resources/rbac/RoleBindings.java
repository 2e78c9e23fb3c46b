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
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Role bindings and cluster role bindings: who has a role. */
public final class RoleBindings {
    private static final String SERVICE_ACCOUNT = "ServiceAccount";
    private static final List<String> SUBJECTS = List.of("Group", SERVICE_ACCOUNT, "User");

    private RoleBindings() {}

    public static ResourceDefinition roleBinding() {
        return ResourceDefinition.of(Roles.GROUP, "v1", "RoleBinding", "rolebindings")
                .nameRule(Names::pathSegment)
                .strategy(strategy(true, Trait.NAMESPACED))
                .defaults(Defaults.of(RoleBindings::fill))
                .columns(columns())
                .build();
    }

    public static ResourceDefinition clusterRoleBinding() {
        return ResourceDefinition.of(Roles.GROUP, "v1", "ClusterRoleBinding", "clusterrolebindings")
                .nameRule(Names::pathSegment)
                .strategy(strategy(false))
                .defaults(Defaults.of(RoleBindings::fill))
                .columns(columns())
                .build();
    }

    private static KindStrategy strategy(boolean namespaced, Trait... traits) {
        return KindStrategy.of(traits)
                .check((faults, binding) -> check(faults, binding, namespaced))
                .checkChange((faults, binding, old) -> {
                    if (!binding.path("roleRef").equals(old.path("roleRef"))) {
                        faults.invalid("roleRef", binding.path("roleRef"), "cannot change roleRef");
                    }
                })
                .createOnUpdate()
                .build();
    }

    private static Column[] columns() {
        return new Column[] {
            Column.of(
                    "Role",
                    "string",
                    "The role that is given.",
                    (binding, now) ->
                            Trees.text(binding, "roleRef", "kind") + "/" + Trees.text(binding, "roleRef", "name")),
            Column.AGE,
            subjects("Users", "Users who have the role.", "User", subject -> Trees.text(subject, "name")),
            subjects("Groups", "Groups whose members have the role.", "Group", subject -> Trees.text(subject, "name")),
            subjects(
                    "ServiceAccounts",
                    "Service accounts that have the role.",
                    SERVICE_ACCOUNT,
                    subject -> Trees.text(subject, "namespace") + "/" + Trees.text(subject, "name"))
        };
    }

    private static Column subjects(String name, String description, String kind, Function<ObjectNode, String> show) {
        return Column.wide(
                name,
                "string",
                description,
                (binding, now) -> Trees.objects(binding.path("subjects")).stream()
                        .filter(subject -> Trees.text(subject, "kind").equals(kind))
                        .map(show)
                        .collect(Collectors.joining(", ")));
    }

    private static void fill(ObjectNode binding) {
        Trees.fill(Trees.child(binding, "roleRef"), "apiGroup", Roles.GROUP);
        for (ObjectNode subject : Trees.objects(binding.path("subjects"))) {
            String kind = Trees.text(subject, "kind");
            if (kind.equals("User") || kind.equals("Group")) {
                Trees.fill(subject, "apiGroup", Roles.GROUP);
            }
        }
    }

    private static void check(Faults faults, ObjectNode binding, boolean namespaced) {
        JsonNode role = binding.path("roleRef");
        faults.oneOf("roleRef.apiGroup", role.path("apiGroup"), List.of(Roles.GROUP));
        faults.oneOf(
                "roleRef.kind",
                role.path("kind"),
                namespaced ? List.of("ClusterRole", "Role") : List.of("ClusterRole"));
        faults.presentByRule("roleRef.name", role.path("name"), Names::pathSegment);
        int i = 0;
        for (ObjectNode subject : Trees.objects(binding.path("subjects"))) {
            checkSubject(faults, "subjects[" + i++ + "]", subject, namespaced);
        }
    }

    private static void checkSubject(Faults faults, String at, ObjectNode subject, boolean namespaced) {
        String kind = Trees.text(subject, "kind");
        faults.present(at + ".name", subject.path("name"));
        faults.oneOf(at + ".kind", subject.path("kind"), SUBJECTS);
        if (kind.equals(SERVICE_ACCOUNT)) {
            if (!Trees.text(subject, "name").isEmpty()) {
                faults.rule(at + ".name", Trees.text(subject, "name"), Names::subdomain);
            }
            faults.oneOfIfSet(at + ".apiGroup", subject.path("apiGroup"), List.of(""));
            if (!namespaced) {
                faults.present(at + ".namespace", subject.path("namespace"));
            }
        } else if (SUBJECTS.contains(kind)) {
            faults.oneOf(at + ".apiGroup", subject.path("apiGroup"), List.of(Roles.GROUP));
        }
    }
}
