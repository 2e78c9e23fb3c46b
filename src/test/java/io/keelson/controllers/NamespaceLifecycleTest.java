package io.keelson.controllers;

import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.BuiltinResources;
import io.keelson.resources.NamespaceAdmission;
import io.keelson.storage.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {false, true})
class NamespaceLifecycleTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final NamespaceLifecycle.Timing QUICK = new NamespaceLifecycle.Timing(
            new Backoff(Duration.ofMillis(5), Duration.ofMillis(200)), Duration.ofMillis(20));

    private final TestingRegistry registry;
    private final List<NamespaceLifecycle> running = new ArrayList<>();

    NamespaceLifecycleTest(boolean cached) {
        registry = new TestingRegistry(BuiltinResources.all(), new NamespaceAdmission(this::namespaces), cached);
    }

    private RegistryStore namespaces() {
        return registry.store("namespaces");
    }

    @BeforeEach
    void makeNamespace() {
        registry.create("namespaces", "", "{'metadata':{'name':'x'}}");
    }

    @AfterEach
    void stop() {
        running.forEach(NamespaceLifecycle::close);
        registry.close();
    }

    private NamespaceLifecycle run() {
        var lifecycle = new NamespaceLifecycle(namespaces(), registry::stores, TestingRegistry.CLOCK, QUICK);
        running.add(lifecycle);
        lifecycle.start();
        return lifecycle;
    }

    private void deleteNamespace() {
        registry.delete("namespaces", "", "x");
    }

    private boolean exists(String resource, String namespace, String name) {
        try {
            registry.read(resource, namespace, name);
            return true;
        } catch (ApiException e) {
            assertThat(e.status().reason()).isEqualTo(StatusReason.NOT_FOUND);
            return false;
        }
    }

    private void awaitEnd() {
        await().atMost(PATIENCE).until(() -> !exists("namespaces", "", "x"));
    }

    private void pod(String fields) {
        ObjectNode pod = json("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        ObjectNode given = json(fields);
        ((ObjectNode) pod.get("metadata")).setAll((ObjectNode) given.path("metadata"));
        ((ObjectNode) pod.get("spec")).setAll((ObjectNode) given.path("spec"));
        registry.create("pods", "x", pod.toString());
    }

    /** The conditions as {@code status reason: message} by type. */
    private TreeMap<String, String> conditions() {
        var conditions = new TreeMap<String, String>();
        for (JsonNode condition :
                registry.read("namespaces", "", "x").path("status").path("conditions")) {
            assertThat(condition.path("lastTransitionTime").asText()).isEqualTo("2030-01-01T00:00:00Z");
            conditions.put(
                    condition.path("type").asText(),
                    condition.path("status").asText() + " "
                            + condition.path("reason").asText() + ": "
                            + condition.path("message").asText());
        }
        return conditions;
    }

    @Test
    void emptiesAndEndsANamespaceThatCanBeMadeAgain() {
        registry.create("namespaces", "", "{'metadata':{'name':'y'}}");
        for (String namespace : List.of("x", "y")) {
            registry.create("configmaps", namespace, "{'metadata':{'name':'c'}}");
            registry.create("secrets", namespace, "{'metadata':{'name':'s'}}");
            registry.create("leases", namespace, "{'metadata':{'name':'l'}}");
        }
        pod("{'metadata':{},'spec':{'nodeName':'n'}}");
        run();
        assertThat(exists("configmaps", "x", "c")).isTrue();

        deleteNamespace();
        awaitEnd();

        assertThat(exists("configmaps", "x", "c")).isFalse();
        assertThat(exists("secrets", "x", "s")).isFalse();
        assertThat(exists("leases", "x", "l")).isFalse();
        assertThat(exists("pods", "x", "p")).isFalse();
        assertThat(exists("configmaps", "y", "c")).isTrue();
        registry.create("namespaces", "", "{'metadata':{'name':'x'}}");
        registry.create("configmaps", "x", "{'metadata':{'name':'c'}}");
        assertThat(exists("configmaps", "x", "c")).isTrue();
    }

    @Test
    void endsNamespacesThatWereDeletedBeforeItStarted() {
        registry.create("configmaps", "x", "{'metadata':{'name':'c'}}");
        deleteNamespace();
        run();
        awaitEnd();
        assertThat(exists("configmaps", "x", "c")).isFalse();
    }

    @Test
    void deletesMoreThanAPage() {
        IntStream.range(0, 1_100)
                .forEach(i -> registry.create(
                        "configmaps",
                        "x",
                        "{'metadata':{'name':'c" + i + "'" + (i % 300 == 0 ? ",'finalizers':['a.b/c']" : "") + "}}"));
        deleteNamespace();
        run();
        await().atMost(PATIENCE)
                .until(() -> conditions()
                        .getOrDefault("NamespaceContentRemaining", "")
                        .endsWith(": configmaps. has 4 resource instances"));
        for (int i = 0; i < 1_100; i += 300) {
            registry.update("configmaps", "x", "c" + i, this::release);
        }
        awaitEnd();
    }

    private void release(ObjectNode object) {
        ((ObjectNode) object.get("metadata")).remove("finalizers");
    }

    @Test
    void saysWhatHoldsANamespaceAndGoesOnWhenItIsReleased() {
        registry.create("configmaps", "x", "{'metadata':{'name':'held','finalizers':['example.com/hold']}}");
        registry.create("configmaps", "x", "{'metadata':{'name':'held-2','finalizers':['example.com/hold','a.b/c']}}");
        registry.create("configmaps", "x", "{'metadata':{'name':'free'}}");
        run();
        deleteNamespace();
        await().atMost(PATIENCE).until(() -> conditions().size() == 5);

        assertThat(conditions())
                .containsEntry(
                        "NamespaceContentRemaining",
                        "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances")
                .containsEntry(
                        "NamespaceFinalizersRemaining",
                        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining:"
                                + " a.b/c in 1 resource instances, example.com/hold in 2 resource instances")
                .containsEntry(
                        "NamespaceDeletionContentFailure",
                        "False ContentDeleted: All content successfully deleted, may be waiting on finalization")
                .containsEntry(
                        "NamespaceDeletionDiscoveryFailure",
                        "False ResourcesDiscovered: All resources successfully discovered")
                .containsEntry(
                        "NamespaceDeletionGroupVersionParsingFailure",
                        "False ParsedGroupVersions: All legacy kube types successfully parsed");
        assertThat(exists("configmaps", "x", "free")).isFalse();
        registry.update("configmaps", "x", "held", this::release);
        await().atMost(PATIENCE)
                .until(() -> conditions()
                        .getOrDefault("NamespaceContentRemaining", "")
                        .endsWith(" configmaps. has 1 resource instances"));
        registry.update("configmaps", "x", "held-2", this::release);
        awaitEnd();
    }

    @Test
    void writesConditionsOnlyWhenTheyChange() {
        registry.create("configmaps", "x", "{'metadata':{'name':'held','finalizers':['example.com/hold']}}");
        run();
        run();
        deleteNamespace();
        await().atMost(PATIENCE).until(() -> conditions().size() == 5);
        long version = namespaces().get(TestingRegistry.in(""), "x", null).resourceVersion();
        long uses = registry.kv().uses();
        await().atMost(PATIENCE).until(() -> registry.kv().uses() > uses + 60);
        assertThat(namespaces().get(TestingRegistry.in(""), "x", null).resourceVersion())
                .isEqualTo(version);
    }

    @Test
    void waitsForPodsBeforeAllElseGoes() {
        pod("{'metadata':{'finalizers':['example.com/hold']},'spec':{}}");
        registry.create("configmaps", "x", "{'metadata':{'name':'c'}}");
        run();
        deleteNamespace();
        await().atMost(PATIENCE).until(() -> conditions().size() == 5);
        assertThat(conditions().get("NamespaceContentRemaining")).endsWith(": pods. has 1 resource instances");
        assertThat(exists("configmaps", "x", "c")).isTrue();
        registry.update("pods", "x", "p", this::release);
        awaitEnd();
        assertThat(exists("configmaps", "x", "c")).isFalse();
    }

    @Test
    void nothingCanBeCreatedMeanwhile() {
        registry.create("configmaps", "x", "{'metadata':{'name':'held','finalizers':['example.com/hold']}}");
        run();
        deleteNamespace();
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> registry.create("configmaps", "x", "{'metadata':{'name':'late'}}"))
                .satisfies(e -> {
                    assertThat(e.status().code()).isEqualTo(403);
                    assertThat(e.status().details().causes())
                            .extracting(StatusCause::reason)
                            .containsExactly("NamespaceTerminating");
                });
        registry.update("configmaps", "x", "held", this::release);
        awaitEnd();
    }

    @Test
    void survivesErrorsOfStorage() {
        IntStream.range(0, 20).forEach(i -> registry.create("configmaps", "x", "{'metadata':{'name':'c" + i + "'}}"));
        deleteNamespace();
        registry.kv().failAfter(12, 15);
        run();
        await().atMost(PATIENCE).until(() -> registry.kv().failuresLeft() <= 0);
        awaitEnd();
        assertThat(exists("configmaps", "x", "c0")).isFalse();
    }

    @Test
    void severalServersDoTheSameWorkWithoutHarm() {
        IntStream.range(0, 3).forEach(i -> run());
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 5; i++) {
                registry.create("configmaps", "x", "{'metadata':{'name':'c" + i + "'}}");
            }
            deleteNamespace();
            awaitEnd();
            registry.create("namespaces", "", "{'metadata':{'name':'x'}}");
        }
        IntStream.range(0, 5).forEach(i -> registry.create("configmaps", "x", "{'metadata':{'name':'c" + i + "'}}"));
        running.forEach(NamespaceLifecycle::close);
        assertThat(registry.store("configmaps")
                        .list(TestingRegistry.in("x"), ListOptions.LATEST)
                        .items())
                .hasSize(5);
    }

    @Test
    void aFinalizerOfTheNamespaceItselfHoldsIt() {
        registry.update(
                "namespaces",
                "",
                "x",
                namespace -> ((ObjectNode) namespace.get("metadata"))
                        .putArray("finalizers")
                        .add("example.com/hold"));
        registry.create("configmaps", "x", "{'metadata':{'name':'c'}}");
        run();
        deleteNamespace();
        await().atMost(PATIENCE)
                .until(() -> registry.read("namespaces", "", "x")
                        .path("spec")
                        .path("finalizers")
                        .isEmpty());
        assertThat(exists("configmaps", "x", "c")).isFalse();
        registry.update("namespaces", "", "x", this::release);
        assertThat(exists("namespaces", "", "x")).isFalse();
    }

    @Test
    void theNamespacesThatTheServerNeedsCannotBeDeleted() {
        for (String name : List.of("default", "kube-system")) {
            registry.create("namespaces", "", "{'metadata':{'name':'" + name + "'}}");
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> namespaces().delete(TestingRegistry.in(""), name, DeleteOptions.NONE))
                    .satisfies(e -> {
                        assertThat(e.status().code()).isEqualTo(403);
                        assertThat(e.status().reason()).isEqualTo(StatusReason.FORBIDDEN);
                        assertThat(e.status().message())
                                .isEqualTo(
                                        "namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
                    });
            assertThat(registry.read("namespaces", "", name).path("metadata").has("deletionTimestamp"))
                    .isFalse();
        }
    }
}
