package io.keelson.controllers;

import static io.keelson.registry.TestingRegistry.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.SelectableFields;
import io.keelson.api.StatusReason;
import io.keelson.apiextensions.conversion.VersionView;
import io.keelson.apiextensions.conversion.VersionedStorage;
import io.keelson.registry.Admission;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.BuiltinResources;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {false, true})
class GarbageCollectorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Backoff QUICK = new Backoff(Duration.ofMillis(2), Duration.ofMillis(100));

    private final boolean cached;
    private final TestingRegistry registry;
    private final List<GarbageCollector> running = new ArrayList<>();
    private final Collection<RegistryStore> served;

    GarbageCollectorTest(boolean cached) {
        this.cached = cached;
        registry = new TestingRegistry(
                BuiltinResources.all().stream()
                        .filter(definition -> definition.storedAs() == null)
                        .toList(),
                Admission.ALL,
                cached);
        served = new CopyOnWriteArrayList<>(registry.stores());
    }

    @AfterEach
    void stop() {
        running.forEach(GarbageCollector::close);
        registry.close();
    }

    private GarbageCollector run() {
        var collector = new GarbageCollector(() -> served, registry.store("events"), TestingRegistry.CLOCK, QUICK);
        running.add(collector);
        collector.start();
        await().atMost(PATIENCE).until(collector::synced);
        return collector;
    }

    private ApiObject configMapIn(String namespace, String name, String... owners) {
        return registry.create(
                "configmaps",
                namespace,
                "{'metadata':{'name':'" + name + "','ownerReferences':[" + String.join(",", owners) + "]}}");
    }

    private ApiObject configMap(String name, String... owners) {
        return configMapIn("x", name, owners);
    }

    private static String ref(String apiVersion, String kind, String name, String uid, boolean block) {
        return "{'apiVersion':'" + apiVersion + "','kind':'" + kind + "','name':'" + name + "','uid':'" + uid
                + "','blockOwnerDeletion':" + block + "}";
    }

    private static String to(ApiObject configMap) {
        return ref("v1", "ConfigMap", configMap.meta().name(), configMap.meta().uid(), false);
    }

    private static String blocking(ApiObject configMap) {
        return ref("v1", "ConfigMap", configMap.meta().name(), configMap.meta().uid(), true);
    }

    private void delete(String name, PropagationPolicy policy) {
        registry.store("configmaps").delete(in("x"), name, new DeleteOptions(null, policy, null, Preconditions.NONE));
    }

    private boolean exists(String name) {
        return exists("configmaps", "x", name);
    }

    private boolean exists(String resource, String namespace, String name) {
        try {
            registry.read(resource, namespace, name);
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    private void awaitEnd(String name) {
        await(name).atMost(PATIENCE).until(() -> !exists(name));
    }

    private ObjectNode metadata(String name) {
        return (ObjectNode) registry.read("configmaps", "x", name).get("metadata");
    }

    /** Once an object that is certain to be collected has gone, what was due before it has been looked at. */
    private void settle() {
        ApiObject marker = configMap("marker");
        configMap("marked", to(marker));
        delete("marker", PropagationPolicy.BACKGROUND);
        awaitEnd("marked");
    }

    private List<String> warnings(String namespace) {
        return registry.store("events").list(in(namespace), ListOptions.LATEST).items().stream()
                .map(TestingRegistry::tree)
                .map(event -> event.path("type").asText() + " "
                        + event.path("reason").asText() + " "
                        + event.path("involvedObject").path("name").asText() + ": "
                        + event.path("message").asText())
                .toList();
    }

    @Test
    void dependents_go_in_the_background_when_their_owner_has_gone() {
        run();
        ApiObject owner = configMap("owner");
        configMap("dependent", to(owner));
        configMap("other");

        delete("owner", PropagationPolicy.BACKGROUND);

        awaitEnd("dependent");
        assertThat(exists("other")).isTrue();
    }

    @Test
    void what_is_due_at_the_start_is_found() {
        ApiObject owner = configMap("owner");
        ApiObject foreground = configMap("foreground");
        ApiObject orphaning = configMap("orphaning");
        configMap("a", to(owner));
        configMap("b", blocking(foreground));
        configMap("c", to(orphaning));
        delete("owner", PropagationPolicy.BACKGROUND);
        delete("foreground", PropagationPolicy.FOREGROUND);
        delete("orphaning", PropagationPolicy.ORPHAN);
        assertThat(exists("foreground")).isTrue();

        run();

        List.of("a", "b", "foreground", "orphaning").forEach(this::awaitEnd);
        assertThat(metadata("c").has("ownerReferences")).isFalse();
    }

    @Test
    void a_dependent_that_comes_after_its_owner_has_gone_goes() {
        run();
        ApiObject owner = configMap("owner");
        delete("owner", PropagationPolicy.BACKGROUND);
        configMap("late", to(owner));
        awaitEnd("late");
    }

    @Test
    void an_owner_of_the_same_name_and_another_uid_is_none() {
        ApiObject owner = configMap("owner");
        delete("owner", PropagationPolicy.BACKGROUND);
        configMap("owner");
        configMap("dependent", to(owner));
        run();
        awaitEnd("dependent");
        assertThat(exists("owner")).isTrue();
    }

    @Test
    void one_that_others_still_own_only_forgets_the_owner_that_went() {
        run();
        ApiObject owner = configMap("owner");
        ApiObject second = configMap("second");
        configMap("dependent", to(owner), to(second));

        delete("owner", PropagationPolicy.BACKGROUND);

        await().atMost(PATIENCE)
                .until(() -> metadata("dependent").path("ownerReferences").size() == 1);
        assertThat(metadata("dependent").at("/ownerReferences/0/uid").asText())
                .isEqualTo(second.meta().uid());
        delete("second", PropagationPolicy.BACKGROUND);
        awaitEnd("dependent");
    }

    @Test
    void an_owner_goes_in_the_foreground_after_those_that_block_it() {
        run();
        ApiObject owner = configMap("owner");
        configMap("blocking", blocking(owner));
        configMap("other", to(owner));
        registry.update(
                "configmaps",
                "x",
                "blocking",
                object -> ((ObjectNode) object.get("metadata"))
                        .putArray("finalizers")
                        .add("a.b/c"));

        delete("owner", PropagationPolicy.FOREGROUND);

        awaitEnd("other");
        await().atMost(PATIENCE).until(() -> metadata("blocking").has("deletionTimestamp"));
        settle();
        assertThat(metadata("owner").path("finalizers"))
                .extracting(each -> each.asText())
                .containsExactly("foregroundDeletion");
        registry.update(
                "configmaps", "x", "blocking", object -> ((ObjectNode) object.get("metadata")).remove("finalizers"));
        awaitEnd("owner");
        assertThat(exists("blocking")).isFalse();
    }

    @Test
    void an_owner_waits_no_longer_for_one_that_has_forgotten_it() {
        run();
        ApiObject owner = configMap("owner");
        configMap("blocking", blocking(owner));
        registry.update(
                "configmaps",
                "x",
                "blocking",
                object -> ((ObjectNode) object.get("metadata"))
                        .putArray("finalizers")
                        .add("a.b/c"));
        delete("owner", PropagationPolicy.FOREGROUND);
        await().atMost(PATIENCE).until(() -> metadata("blocking").has("deletionTimestamp"));

        registry.update(
                "configmaps",
                "x",
                "blocking",
                object -> ((ObjectNode) object.get("metadata")).remove("ownerReferences"));

        awaitEnd("owner");
        assertThat(exists("blocking")).isTrue();
    }

    @Test
    void a_chain_of_ten_goes_in_the_foreground_from_its_end() {
        run();
        ApiObject owner = configMap("c0");
        for (int i = 1; i < 10; i++) {
            owner = configMap("c" + i, blocking(owner));
        }
        delete("c0", PropagationPolicy.FOREGROUND);
        awaitEnd("c0");
        assertThat(registry.store("configmaps")
                        .list(in("x"), ListOptions.LATEST)
                        .items())
                .isEmpty();
    }

    @Test
    void a_chain_of_ten_goes_in_the_background() {
        run();
        ApiObject owner = configMap("c0");
        for (int i = 1; i < 10; i++) {
            owner = configMap("c" + i, to(owner));
        }
        delete("c0", PropagationPolicy.BACKGROUND);
        awaitEnd("c9");
    }

    @Test
    void a_circle_of_owners_goes() {
        run();
        ApiObject first = configMap("first");
        ApiObject second = configMap("second", blocking(first));
        ApiObject third = configMap("third", blocking(second));
        registry.update(
                "configmaps",
                "x",
                "first",
                object -> ((ArrayNode) ((ObjectNode) object.get("metadata")).putArray("ownerReferences"))
                        .add(TestingRegistry.json(blocking(third))));
        delete("first", PropagationPolicy.FOREGROUND);
        List.of("first", "second", "third").forEach(this::awaitEnd);
    }

    @Test
    void two_that_own_each_other_stay_and_go_together() {
        run();
        ApiObject first = configMap("first");
        ApiObject second = configMap("second", to(first));
        registry.update(
                "configmaps",
                "x",
                "first",
                object -> ((ArrayNode) ((ObjectNode) object.get("metadata")).putArray("ownerReferences"))
                        .add(TestingRegistry.json(to(second))));
        settle();
        assertThat(exists("first")).isTrue();
        delete("second", PropagationPolicy.BACKGROUND);
        awaitEnd("first");
    }

    @Test
    void an_owner_that_orphans_goes_when_its_dependents_have_forgotten_it() {
        run();
        ApiObject owner = configMap("owner");
        ApiObject other = configMap("other");
        configMap("one", to(owner));
        configMap("two", blocking(owner), to(other));

        delete("owner", PropagationPolicy.ORPHAN);

        awaitEnd("owner");
        assertThat(metadata("one").has("ownerReferences")).isFalse();
        assertThat(metadata("two").path("ownerReferences")).hasSize(1);
        settle();
        assertThat(exists("one")).isTrue();
        assertThat(exists("two")).isTrue();
    }

    @Test
    void an_owner_in_another_namespace_is_absent_and_told_of() {
        run();
        ApiObject owner = configMapIn("y", "owner");
        configMap("dependent", to(owner));
        awaitEnd("dependent");
        assertThat(exists("configmaps", "y", "owner")).isTrue();
        assertThat(warnings("x"))
                .containsExactly("Warning OwnerRefInvalidNamespace dependent: ownerRef [v1/ConfigMap, namespace: x,"
                        + " name: owner, uid: " + owner.meta().uid() + "] does not exist in namespace \"x\"");
    }

    @Test
    void an_object_of_the_cluster_with_an_owner_in_a_namespace_stays_and_is_told_of() {
        run();
        ApiObject owner = configMap("owner");
        registry.create(
                "clusterroles", "", "{'metadata':{'name':'role','ownerReferences':[" + to(owner) + "]},'rules':[]}");
        delete("owner", PropagationPolicy.BACKGROUND);
        awaitEnd("owner");
        await().atMost(PATIENCE).until(() -> warnings("default").size() == 1);
        settle();
        assertThat(exists("clusterroles", "", "role")).isTrue();
        assertThat(warnings("default"))
                .first()
                .asString()
                .startsWith("Warning OwnerRefInvalidNamespace role: ownerRef [v1/ConfigMap, namespace: , name: owner,");
    }

    @Test
    void an_owner_of_the_cluster_owns_what_lives_in_namespaces() {
        run();
        ApiObject role = registry.create("clusterroles", "", "{'metadata':{'name':'role'},'rules':[]}");
        configMap(
                "dependent",
                ref(
                        "rbac.authorization.k8s.io/v1",
                        "ClusterRole",
                        "role",
                        role.meta().uid(),
                        false));
        settle();
        assertThat(exists("dependent")).isTrue();
        registry.delete("clusterroles", "", "role");
        awaitEnd("dependent");
    }

    @Test
    void owners_of_unknown_kinds_are_judged_when_their_kind_is_served() {
        ApiObject secret = registry.create("secrets", "x", "{'metadata':{'name':'secret'}}");
        configMap("dependent", ref("v1", "Secret", "secret", secret.meta().uid(), false));
        registry.delete("secrets", "x", "secret");
        served.remove(registry.store("secrets"));
        GarbageCollector collector = run();
        settle();
        assertThat(exists("dependent")).isTrue();

        served.add(registry.store("secrets"));
        collector.resourcesChanged();

        awaitEnd("dependent");
    }

    @Test
    void what_depended_on_a_kind_that_went_with_its_objects_goes() {
        GarbageCollector collector = run();
        ApiObject secret = registry.create("secrets", "x", "{'metadata':{'name':'secret'}}");
        configMap("dependent", ref("v1", "Secret", "secret", secret.meta().uid(), false));
        settle();
        registry.delete("secrets", "x", "secret");
        served.remove(registry.store("secrets"));
        collector.resourcesChanged();
        awaitEnd("dependent");
    }

    @Test
    void thousands_of_dependents_go() {
        GarbageCollector collector = run();
        ApiObject owner = configMap("owner");
        for (int i = 0; i < 2_000; i++) {
            configMap("c" + i, blocking(owner));
        }
        delete("owner", PropagationPolicy.FOREGROUND);
        awaitEnd("owner");
        assertThat(registry.store("configmaps")
                        .list(in("x"), ListOptions.LATEST)
                        .items())
                .isEmpty();
        await().atMost(PATIENCE).until(() -> collector.size() == 0);
    }

    @Test
    void storage_that_fails_for_a_while_delays_it() {
        run();
        ApiObject owner = configMap("owner");
        configMap("dependent", to(owner));
        delete("owner", PropagationPolicy.BACKGROUND);
        registry.kv().failAfter(0, 20);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> !exists("dependent"));
        assertThat(registry.kv().failuresLeft()).isZero();
    }

    @Test
    void a_resource_that_cannot_be_converted_holds_up_no_other() {
        RegistryStore secrets = registry.store("secrets");
        registry.create("secrets", "x", "{'metadata':{'name':'old'}}");
        served.remove(secrets);
        served.add(new RegistryStore(
                secrets.definition(),
                new VersionedStorage(secrets.storage(), new DeadWebhook(), SelectableFields.NONE),
                "/registry/secrets/",
                Admission.ALL,
                new Random(1)));
        run();
        ApiObject owner = configMap("owner");
        ApiObject dependent = configMap("dependent", blocking(owner));
        configMap("kept", to(dependent));
        delete("dependent", PropagationPolicy.ORPHAN);
        awaitEnd("dependent");
        configMap("another", blocking(owner));
        delete("owner", PropagationPolicy.FOREGROUND);
        awaitEnd("owner");
        assertThat(exists("another")).isFalse();
        assertThat(metadata("kept").has("ownerReferences")).isFalse();
    }

    private static final class DeadWebhook implements VersionView {
        private static ApiException dead() {
            return ApiException.of(StatusReason.INTERNAL_ERROR, "the server cannot be reached");
        }

        @Override
        public boolean selectsStored() {
            return true;
        }

        @Override
        public @Nullable ApiObject servedNow(ApiObject stored) {
            return null;
        }

        @Override
        public List<ApiObject> served(List<ApiObject> stored) {
            if (stored.isEmpty()) {
                return stored;
            }
            throw dead();
        }

        @Override
        public Written written(ObjectNode object, @Nullable ApiObject existing) {
            throw dead();
        }
    }

    @Test
    void what_cannot_be_told_of_owners_is_left_to_a_closer_look() {
        var owners = new Owners(() -> new ServedKinds(served), TestingRegistry.CLOCK);
        ApiObject dependent = configMap("dependent", to(configMap("owner")));
        await().atMost(PATIENCE).until(() -> owners.allSolid(dependent.meta()));
        registry.kv().failAfter(0, 1);
        // A cache can tell.
        assertThat(owners.allSolid(dependent.meta())).isEqualTo(cached);
        registry.kv().failAfter(0, 0);
    }

    @Test
    void objects_without_owners_cost_nothing() {
        GarbageCollector collector = run();
        for (int i = 0; i < 50; i++) {
            configMap("c" + i);
        }
        ApiObject owner = configMap("owner");
        configMap("dependent", to(owner));
        settle();
        assertThat(collector.size()).isEqualTo(1);
    }
}
