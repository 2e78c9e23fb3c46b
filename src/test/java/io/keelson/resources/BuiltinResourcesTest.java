package io.keelson.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.GroupVersionKind;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.StoredVersion;
import io.keelson.resources.core.ServiceAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuiltinResourcesTest {
    private final List<ResourceDefinition> all = BuiltinResources.all();

    @Test
    void names_kinds_and_short_names_are_unique() {
        var names = new ArrayList<String>();
        for (ResourceDefinition definition :
                all.stream().filter(one -> one.storedAs() == null).toList()) {
            names.add(definition.plural());
            names.addAll(definition.shortNames());
            if (!definition.singular().equals(definition.plural())) {
                names.add(definition.singular());
            }
        }
        assertThat(names).doesNotHaveDuplicates();
        assertThat(all).extracting(ResourceDefinition::kind).doesNotHaveDuplicates();
    }

    @Test
    void every_kind_has_described_columns_with_known_types() {
        for (ResourceDefinition definition : all) {
            assertThat(definition.columns())
                    .as(definition.toString())
                    .hasSizeGreaterThan(1)
                    .allSatisfy(column -> {
                        assertThat(column.type()).isIn("string", "integer", "boolean", "date");
                        assertThat(column.description()).endsWith(".");
                    });
            assertThat(definition.columns().stream()
                            .filter(column -> column.format().equals("name")))
                    .as(definition.toString())
                    .hasSize(1);
        }
    }

    @Test
    void every_kind_shows_an_empty_object_and_ignores_fields_of_wrong_types() {
        for (ResourceDefinition definition : all) {
            var kind = new TestingKind(definition);
            assertThat(kind.cells(kind.prepared("{}")))
                    .as(definition.toString())
                    .doesNotContain("null");
            kind.faults("{'spec':'text','data':[1],'subsets':{'a':1},'template':7,'status':[]}");
        }
    }

    @Test
    void defaults_drop_nulls_and_change_nothing_when_run_again() {
        for (ResourceDefinition definition : all) {
            if (definition.plural().equals("controllerrevisions")) {
                continue;
            }
            var once = new TestingKind(definition).prepared("{'spec':{'anything':null},'gone':null}");
            assertThat(once.has("gone")).as(definition.toString()).isFalse();
            var again = once.deepCopy();
            definition.defaults().accept(again);
            assertThat(again).as(definition.toString()).isEqualTo(once);
        }
    }

    @Test
    void scopes_subresources_and_categories_are_those_of_kubernetes() {
        assertThat(all.stream().filter(one -> !one.namespaced()).map(ResourceDefinition::plural))
                .containsExactlyInAnyOrder(
                        "namespaces",
                        "nodes",
                        "persistentvolumes",
                        "apiservices",
                        "deviceclasses",
                        "resourceslices",
                        "certificatesigningrequests",
                        "ingressclasses",
                        "ipaddresses",
                        "servicecidrs",
                        "clusterroles",
                        "clusterrolebindings",
                        "csidrivers",
                        "csinodes",
                        "storageclasses",
                        "volumeattachments",
                        "volumeattributesclasses",
                        "mutatingadmissionpolicies",
                        "mutatingadmissionpolicybindings",
                        "mutatingwebhookconfigurations",
                        "validatingadmissionpolicies",
                        "validatingadmissionpolicybindings",
                        "validatingwebhookconfigurations",
                        "priorityclasses",
                        "runtimeclasses",
                        "flowschemas",
                        "prioritylevelconfigurations");
        assertThat(all.stream().filter(one -> one.scale() != null).map(ResourceDefinition::plural))
                .containsExactlyInAnyOrder("deployments", "replicasets", "statefulsets", "replicationcontrollers");
        assertThat(all.stream().filter(one -> !one.hasStatus()).map(ResourceDefinition::plural))
                .containsExactlyInAnyOrder(
                        "configmaps",
                        "endpoints",
                        "events",
                        "events",
                        "limitranges",
                        "podtemplates",
                        "secrets",
                        "serviceaccounts",
                        "controllerrevisions",
                        "deviceclasses",
                        "resourceclaimtemplates",
                        "resourceslices",
                        "leases",
                        "ingressclasses",
                        "ipaddresses",
                        "networkpolicies",
                        "roles",
                        "clusterroles",
                        "rolebindings",
                        "clusterrolebindings",
                        "csidrivers",
                        "csinodes",
                        "csistoragecapacities",
                        "storageclasses",
                        "volumeattributesclasses",
                        "mutatingadmissionpolicies",
                        "mutatingadmissionpolicybindings",
                        "mutatingwebhookconfigurations",
                        "validatingadmissionpolicybindings",
                        "validatingwebhookconfigurations",
                        "priorityclasses",
                        "runtimeclasses",
                        "endpointslices");
        assertThat(all.stream().filter(one -> one.categories().contains("all")).map(ResourceDefinition::plural))
                .containsExactlyInAnyOrder(
                        "pods",
                        "services",
                        "replicationcontrollers",
                        "daemonsets",
                        "deployments",
                        "replicasets",
                        "statefulsets",
                        "cronjobs",
                        "jobs",
                        "horizontalpodautoscalers",
                        "horizontalpodautoscalers");
        assertThat(all.stream().filter(ResourceDefinition::returnsDeletedObject).map(ResourceDefinition::plural))
                .containsExactlyInAnyOrder(
                        "pods",
                        "services",
                        "serviceaccounts",
                        "persistentvolumes",
                        "persistentvolumeclaims",
                        "podtemplates",
                        "resourcequotas",
                        "csidrivers",
                        "csinodes",
                        "storageclasses",
                        "volumeattachments",
                        "volumeattributesclasses");
    }

    @Test
    void a_server_may_do_without_groups_but_never_without_the_core_group() {
        var allocator = new ServiceAllocator(List::of);
        assertThat(BuiltinResources.ofGroups(allocator, BuiltinResources.groups()))
                .extracting(ResourceDefinition::kind)
                .containsExactlyElementsOf(
                        all.stream().map(ResourceDefinition::kind).toList());
        assertThat(BuiltinResources.ofGroups(allocator, Set.of("batch", "core")))
                .extracting(definition -> definition.kind().group())
                .containsOnly("", "batch");
        assertThat(BuiltinResources.ofGroups(allocator, Set.of()))
                .isNotEmpty()
                .allMatch(definition -> definition.kind().group().isEmpty());
        assertThat(BuiltinResources.groups())
                .contains("core", "apps", "networking.k8s.io", "rbac.authorization.k8s.io")
                .doesNotContain("");
    }

    @Test
    void versions_without_storage_follow_the_one_they_are_stored_as() {
        var seen = new ArrayList<GroupVersionKind>();
        for (ResourceDefinition definition : all) {
            StoredVersion stored = definition.storedAs();
            if (stored != null) {
                assertThat(seen).contains(stored.definition().kind());
                assertThat(definition.storedKind())
                        .isEqualTo(stored.definition().kind());
                assertThat(definition.selectableFields().paths())
                        .allMatch(path -> stored.definition()
                                        .selectableFields()
                                        .index(stored.fields().getOrDefault(path, path))
                                >= 0);
            }
            seen.add(definition.kind());
        }
    }
}
