package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.keelson.clients.WebsiteOperator.Step;
import io.keelson.definitions.GeneratedDefinition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator written with the Java Operator SDK does its work on the server, also over its end. */
class OperatorIT extends ClientFixture {
    private static final Consumer<Step> ON = step -> {};

    private final AtomicReference<Consumer<Step>> gate = new AtomicReference<>(ON);
    private KubernetesClient client;
    private WebsiteOperator operator;

    @BeforeEach
    void start() {
        Config config = Config.fromKubeconfig(kubeconfig().toFile());
        config.setNamespace(namespace());
        config.setRequestRetryBackoffLimit(0);
        config.setWatchReconnectInterval(100);
        client = new KubernetesClientBuilder().withConfig(config).build();
        api().send(
                        "PATCH",
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/websites.operator.example.com?fieldManager=test",
                        GeneratedDefinition.yaml(Website.class),
                        "Content-Type",
                        "application/apply-patch+yaml")
                .succeeded();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("websites.operator.example.com")
                .waitUntilCondition(
                        crd -> crd != null
                                && crd.getStatus() != null
                                // Null until the names have been judged, as in Kubernetes.
                                && crd.getStatus().getConditions() != null
                                && crd.getStatus().getConditions().stream()
                                        .anyMatch(each -> each.getType().equals("Established")
                                                && each.getStatus().equals("True")),
                        TIMEOUT.toSeconds(),
                        TimeUnit.SECONDS);
        operator = WebsiteOperator.start(client, namespace(), step -> gate.get().accept(step));
    }

    @AfterEach
    void stop() {
        gate.set(ON);
        operator.close();
        client.close();
        assertThat(operator.stopped()).isEmpty();
    }

    @Test
    void reconciles_create_update_and_delete() {
        createWebsite("home", "hello");
        awaitShown("home", "hello", 1);
        Website website = website("home");
        assertThat(website.getMetadata().getFinalizers()).containsExactly(WebsiteOperator.FINALIZER);
        OwnerReference owner =
                configMap("home").getMetadata().getOwnerReferences().getFirst();
        assertThat(owner.getKind()).isEqualTo("Website");
        assertThat(owner.getUid()).isEqualTo(website.getMetadata().getUid());

        edit("home", "welcome");
        awaitShown("home", "welcome", 2);

        // What others do to the config map is put right.
        client.configMaps()
                .withName("home")
                .edit(map -> new ConfigMapBuilder(map)
                        .addToData("index.html", "defaced")
                        .build());
        awaitConfigMap("home", "welcome");
        client.configMaps().withName("home").delete();
        awaitConfigMap("home", "welcome");

        client.resource(website("home")).delete();
        await().until(() -> website("home") == null);
        assertThat(operator.cleaned()).containsExactly("home");
        await().until(() -> configMap("home") == null);
    }

    @Test
    void reconciles_many() {
        List<String> names = IntStream.range(0, 30).mapToObj(i -> "site-" + i).toList();
        names.forEach(name -> createWebsite(name, name));
        names.forEach(name -> awaitShown(name, name, 1));
        client.resources(Website.class).delete();
        await().until(() -> client.resources(Website.class).list().getItems().isEmpty());
        assertThat(operator.cleaned()).containsExactlyInAnyOrderElementsOf(names);
        names.forEach(name -> await().until(() -> configMap(name) == null));
    }

    @Test
    void goes_on_after_the_server_has_crashed_and_come_back_in_the_middle_of_a_reconciliation() throws Exception {
        createWebsite("old", "kept");
        awaitShown("old", "kept", 1);
        for (Step step : Step.values()) {
            String name = "site-" + step.ordinal();
            var held = new Held(step);
            gate.set(held);
            createWebsite(name, "first");
            held.awaitReached();
            crash();
            gate.set(ON);
            held.release();

            awaitShown(name, "first", 1);
            edit(name, "second");
            awaitShown(name, "second", 2);
        }
        edit("old", "changed");
        awaitShown("old", "changed", 2);
    }

    @Test
    void tries_again_what_it_could_not_write_while_the_server_was_down() throws Exception {
        createWebsite("home", "first");
        awaitShown("home", "first", 1);
        var begun = new Held(Step.BEGUN);
        gate.set(begun);
        edit("home", "second");
        begun.awaitReached();
        server().kill();
        var again = new Held(Step.BEGUN);
        gate.set(again);
        begun.release();
        // The config map could not be written, so that the reconciliation begins anew.
        again.awaitReached();
        gate.set(ON);
        again.release();
        server().restart();
        awaitShown("home", "second", 2);

        // Deleted while the operator may not have found back to the server yet.
        server().restart();
        client.resource(website("home")).delete();
        await().until(() -> website("home") == null && configMap("home") == null);
    }

    /** Holds up reconciliations at one step. */
    private static final class Held implements Consumer<Step> {
        private final Step step;
        private final BlockingQueue<Step> reached = new LinkedBlockingQueue<>();
        private final CountDownLatch released = new CountDownLatch(1);

        Held(Step step) {
            this.step = step;
        }

        @Override
        public void accept(Step now) {
            if (now != step) {
                return;
            }
            reached.add(now);
            try {
                if (!released.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError("never released");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(step);
        }

        void release() {
            released.countDown();
        }
    }

    private void createWebsite(String name, String text) {
        var website = new Website();
        website.setMetadata(new ObjectMetaBuilder().withName(name).build());
        website.setSpec(new Website.Spec());
        website.getSpec().text = text;
        client.resource(website).create();
    }

    private void edit(String name, String text) {
        client.resources(Website.class).withName(name).edit(website -> {
            website.getSpec().text = text;
            return website;
        });
    }

    private Website website(String name) {
        return client.resources(Website.class).withName(name).get();
    }

    private ConfigMap configMap(String name) {
        return client.configMaps().withName(name).get();
    }

    private void awaitShown(String name, String text, long generation) {
        await().until(
                        () -> website(name),
                        found -> found.getStatus() != null
                                && text.equals(found.getStatus().shown)
                                && found.getStatus().observedGeneration == generation);
        awaitConfigMap(name, text);
    }

    private void awaitConfigMap(String name, String text) {
        await().until(
                        () -> configMap(name),
                        found -> found != null && text.equals(found.getData().get("index.html")));
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(TIMEOUT);
    }
}
