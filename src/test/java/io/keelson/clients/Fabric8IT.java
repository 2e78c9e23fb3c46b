package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs do with fabric8's kubernetes-client. */
class Fabric8IT extends ClientFixture {
    private static final int WRITERS = 4;
    private static final int WRITES_EACH = 10;

    private KubernetesClient client;

    @BeforeEach
    void connect() {
        Config config = Config.fromKubeconfig(kubeconfig().toFile());
        config.setNamespace(namespace());
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void creates_gets_lists_and_deletes() {
        ConfigMap created = client.resource(configMap("a", "1", "web")).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(created.getMetadata().getNamespace()).isEqualTo(namespace());
        client.resource(configMap("b", "1", "job")).create();

        assertThat(named("a").get()).isEqualTo(created);
        assertThat(named("missing").get()).isNull();
        assertThat(names(client.configMaps().list())).containsExactly("a", "b");
        assertThat(names(client.configMaps().withLabel("app", "job").list())).containsExactly("b");
        assertThat(names(client.configMaps()
                        .inAnyNamespace()
                        .withField("metadata.name", "a")
                        .list()))
                .contains("a");
        KubernetesClientException again =
                refusal(() -> client.resource(configMap("a", "1", "web")).create());
        assertThat(again.getCode()).isEqualTo(409);
        assertThat(again.getStatus().getReason()).isEqualTo("AlreadyExists");

        assertThat(named("a").delete()).hasSize(1);
        assertThat(named("a").get()).isNull();
        assertThat(named("a").delete()).as("nothing left to delete").isEmpty();
        client.configMaps().delete();
        assertThat(names(client.configMaps().list())).isEmpty();
    }

    @Test
    void lists_page_by_page() {
        for (String name : List.of("a", "b", "c")) {
            create(name, "1");
        }
        ConfigMapList first =
                client.configMaps().list(new ListOptionsBuilder().withLimit(2L).build());
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.getMetadata().getRemainingItemCount()).isEqualTo(1);
        ConfigMapList second = client.configMaps()
                .list(new ListOptionsBuilder()
                        .withLimit(2L)
                        .withContinue(first.getMetadata().getContinue())
                        .build());
        assertThat(names(second)).containsExactly("c");
        assertThat(second.getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
    }

    @Test
    void patches() {
        create("a", "1");
        ConfigMap edited = named("a")
                .edit(a -> new ConfigMapBuilder(a)
                        .addToData("edited", "by operations")
                        .build());
        assertThat(edited.getData()).containsOnly(Map.entry("value", "1"), Map.entry("edited", "by operations"));
        named("a").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"value\":null,\"merged\":\"yes\"}}");
        named("a")
                .patch(
                        PatchContext.of(PatchType.JSON),
                        "[{\"op\":\"test\",\"path\":\"/data/merged\",\"value\":\"yes\"},"
                                + "{\"op\":\"remove\",\"path\":\"/data/edited\"}]");
        assertThat(named("a").get().getData()).containsOnly(Map.entry("merged", "yes"));
    }

    @Test
    void patches_a_list_by_its_keys() {
        client.resource(deployment("web")).create();
        Deployment patched =
                client.apps().deployments().withName("web").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                        {"spec": {"template": {"spec": {"containers": [
                          {"name": "side", "image": "example.com/side:1"},
                          {"name": "main", "image": "example.com/web:2"}]}}}}
                        """);
        assertThat(patched.getSpec().getTemplate().getSpec().getContainers())
                .extracting(Container::getName, Container::getImage, Container::getTerminationMessagePolicy)
                .containsExactlyInAnyOrder(
                        tuple("main", "example.com/web:2", "File"), tuple("side", "example.com/side:1", "File"));
    }

    @Test
    void managers_apply_an_object_together_and_one_takes_a_field_by_force() {
        ConfigMap mine =
                client.resource(configMap("a", "1", "web")).fieldManager("one").serverSideApply();
        assertThat(mine.getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getManager, ManagedFieldsEntry::getOperation)
                .containsExactly(tuple("one", "Apply"));
        ConfigMap other = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("other", "1")
                .build();
        ConfigMap both = client.resource(other).fieldManager("two").serverSideApply();
        assertThat(both.getData()).containsOnly(Map.entry("value", "1"), Map.entry("other", "1"));

        ConfigMap theirs = withValue(other, "2");
        KubernetesClientException refusal =
                refusal(() -> client.resource(theirs).fieldManager("two").serverSideApply());
        assertThat(refusal.getCode()).isEqualTo(409);
        assertThat(refusal.getStatus().getDetails().getCauses())
                .extracting(StatusCause::getField, StatusCause::getReason)
                .containsExactly(tuple(".data.value", "FieldManagerConflict"));
        ConfigMap taken =
                client.resource(theirs).fieldManager("two").forceConflicts().serverSideApply();
        assertThat(value(taken)).isEqualTo("2");
        assertThat(client.resource(theirs).fieldManager("two").serverSideApply())
                .as("nothing changes")
                .isEqualTo(taken);
    }

    @Test
    void changes_a_status_and_scales() {
        Deployment web = client.resource(deployment("web")).create();
        assertThat(web.getMetadata().getGeneration()).isEqualTo(1);
        client.resource(web)
                .editStatus(d -> new DeploymentBuilder(d)
                        .editOrNewStatus()
                        .withObservedGeneration(1L)
                        .withReplicas(2)
                        .endStatus()
                        .build());
        Deployment scaled = client.apps().deployments().withName("web").scale(5);
        assertThat(scaled.getSpec().getReplicas()).isEqualTo(5);
        assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
        assertThat(scaled.getStatus().getReplicas()).isEqualTo(2);
        assertThat(client.apps().deployments().withName("web").scale().getSpec().getReplicas())
                .isEqualTo(5);
    }

    @Test
    void an_outdated_update_is_refused() {
        create("a", "1");
        ConfigMap read = named("a").get();
        ConfigMap updated = client.resource(withValue(read, "2")).update();
        KubernetesClientException refusal =
                refusal(() -> client.resource(withValue(read, "3")).update());
        assertThat(refusal.getCode()).isEqualTo(409);
        assertThat(refusal.getStatus().getReason()).isEqualTo("Conflict");
        assertThat(named("a").get()).isEqualTo(updated);
        client.resource(withValue(updated, "3")).update();
    }

    @Test
    void writers_that_repeat_refused_updates_lose_none() throws Exception {
        create("a", "0");
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = IntStream.range(0, WRITERS)
                    .mapToObj(writer -> writers.submit(() -> {
                        for (int i = 0; i < WRITES_EACH; i++) {
                            addOne();
                        }
                    }))
                    .toList();
            for (var one : all) {
                one.get();
            }
        }
        assertThat(value(named("a").get())).isEqualTo(Integer.toString(WRITERS * WRITES_EACH));
    }

    @Test
    void deletes_with_each_propagation() {
        var deployments = client.apps().deployments();
        for (var policy : DeletionPropagation.values()) {
            Deployment owner = client.resource(deployment("web")).create();
            client.resource(new ConfigMapBuilder(configMap("a", "1", "web"))
                            .editMetadata()
                            .addNewOwnerReference()
                            .withApiVersion("apps/v1")
                            .withKind("Deployment")
                            .withName("web")
                            .withUid(owner.getMetadata().getUid())
                            .withBlockOwnerDeletion(true)
                            .endOwnerReference()
                            .endMetadata()
                            .build())
                    .create();

            deployments
                    .withName("web")
                    .withPropagationPolicy(policy)
                    .withGracePeriod(0)
                    .delete();

            Awaitility.await()
                    .atMost(TIMEOUT)
                    .until(() -> deployments.withName("web").get() == null);
            if (policy == DeletionPropagation.ORPHAN) {
                assertThat(named("a").get().getMetadata().getOwnerReferences()).isEmpty();
                named("a").delete();
            } else {
                Awaitility.await().atMost(TIMEOUT).until(() -> named("a").get() == null);
            }
        }
    }

    @Test
    void an_informer_and_a_watch_see_each_change_once_over_restarts() {
        create("a", "1");
        Observations informed = new Observations();
        Observations watched = new Observations();
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inform(handler(informed));
                Watch ignored = client.configMaps().watch(informer.lastSyncResourceVersion(), watcher(watched))) {
            informed.awaitNext("added a 1");
            restart();
            replace("a", "2");
            create("b", "1");
            informed.awaitNext("modified a 2", "added b 1");
            watched.awaitNext("modified a 2", "added b 1");
            crash();
            delete("a");
            replace("b", "2");
            informed.awaitNext("deleted a 2", "modified b 2");
            watched.awaitNext("deleted a 2", "modified b 2");
            assertThat(informer.getStore().list()).extracting(Fabric8IT::value).containsExactly("2");
        }
    }

    @Test
    void one_candidate_leads_over_a_restart_until_it_resigns() {
        try (Candidate first = Candidate.start(client, namespace(), "first")) {
            first.awaitLeading();
            try (Candidate second = Candidate.start(client, namespace(), "second")) {
                String renewed = second.awaitLeaderSeen("first");
                crash();
                Awaitility.await("the lease is renewed")
                        .atMost(TIMEOUT)
                        .until(() -> !Candidate.lease(client)
                                .getSpec()
                                .getRenewTime()
                                .toString()
                                .equals(renewed));
                assertThat(Candidate.lease(client).getSpec().getHolderIdentity())
                        .isEqualTo("first");
                assertThat(first.leads()).isTrue();
                assertThat(second.leads()).isFalse();

                first.resign();
                second.awaitLeading();
                assertThat(first.leads()).isFalse();
                assertThat(Candidate.lease(client).getSpec().getLeaseTransitions())
                        .isPositive();
            }
        }
    }

    private void addOne() {
        for (; ; ) {
            ConfigMap read = named("a").get();
            int next = Integer.parseInt(value(read)) + 1;
            try {
                client.resource(withValue(read, Integer.toString(next))).update();
                return;
            } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(409);
            }
        }
    }

    private Resource<ConfigMap> named(String name) {
        return client.configMaps().withName(name);
    }

    private static KubernetesClientException refusal(ThrowingCallable call) {
        return catchThrowableOfType(KubernetesClientException.class, call);
    }

    private static ResourceEventHandler<ConfigMap> handler(Observations seen) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap object) {
                seen.add("added", object.getMetadata().getName(), value(object));
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap object) {
                seen.add("modified", object.getMetadata().getName(), value(object));
            }

            @Override
            public void onDelete(ConfigMap object, boolean unknownState) {
                seen.add("deleted", object.getMetadata().getName(), value(object));
            }
        };
    }

    private static Watcher<ConfigMap> watcher(Observations seen) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap object) {
                seen.add(
                        action.name().toLowerCase(Locale.ROOT),
                        object.getMetadata().getName(),
                        value(object));
            }

            @Override
            public void onClose(WatcherException cause) {
                seen.add("closed", "by", cause.toString());
            }
        };
    }

    private static ConfigMap configMap(String name, String value, String app) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", app)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    private static ConfigMap withValue(ConfigMap object, String value) {
        return new ConfigMapBuilder(object).addToData("value", value).build();
    }

    private static Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("example.com/web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static String value(ConfigMap object) {
        return object.getData().get("value");
    }

    private static List<String> names(ConfigMapList list) {
        return list.getItems().stream()
                .map(item -> item.getMetadata().getName())
                .toList();
    }
}
