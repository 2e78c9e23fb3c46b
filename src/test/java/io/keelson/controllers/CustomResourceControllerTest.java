package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.apiextensions.CustomResource;
import io.keelson.apiextensions.definition.CustomResourceDefinitions;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.TestingRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CustomResourceControllerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CRDS = "customresourcedefinitions";

    private final TestingRegistry registry =
            new TestingRegistry(List.of(CustomResourceDefinitions.definition()), Admission.ALL, true);
    private final Served served = new Served();
    private final CustomResourceController controller = new CustomResourceController(
            registry.store(CRDS), served, List.of(CustomResourceDefinitions.definition()), TestingRegistry.CLOCK);

    /** Remembers what is to be served; nothing has objects. */
    private static final class Served implements CustomResourceController.Server {
        private final Map<String, List<String>> kinds = new ConcurrentHashMap<>();
        private final AtomicReference<Runnable> onNext = new AtomicReference<>(() -> {});

        private volatile String broken = "";

        @Override
        public void serve(String name, CustomResource resource) {
            if (name.equals(broken)) {
                throw new IllegalStateException(name + " is broken");
            }
            onNext.getAndSet(() -> {}).run();
            kinds.put(
                    name,
                    resource.served().stream()
                            .map(ResourceDefinition::kind)
                            .map(kind -> kind.version() + " " + kind.kind())
                            .toList());
        }

        @Override
        public void remove(String name) {
            kinds.remove(name);
        }

        @Override
        public @Nullable RegistryStore instances(String name) {
            return null;
        }
    }

    @BeforeEach
    void start() {
        controller.start();
    }

    @AfterEach
    void stop() {
        controller.close();
        registry.close();
    }

    private void define(String plural, String kind) {
        registry.create(
                CRDS,
                "",
                "{'metadata':{'name':'" + plural + ".example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                        + "'names':{'plural':'" + plural + "','kind':'" + kind
                        + "'},'versions':[{'name':'v1','served':true,"
                        + "'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}},{'name':'v2','served':true,"
                        + "'storage':false,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}");
    }

    private String condition(String name, String type) {
        for (JsonNode condition : registry.read(CRDS, "", name).at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " "
                        + condition.path("reason").asText();
            }
        }
        return "";
    }

    @Test
    void a_definition_is_established_and_its_versions_are_served() {
        define("makes", "Make");
        await().atMost(PATIENCE)
                .until(() -> condition("makes.example.com", "Established"), "True InitialNamesAccepted"::equals);
        assertThat(condition("makes.example.com", "NamesAccepted")).isEqualTo("True NoConflicts");
        assertThat(served.kinds).containsEntry("makes.example.com", List.of("v1 Make", "v2 Make"));
        assertThat(registry.read(CRDS, "", "makes.example.com")
                        .at("/status/acceptedNames/listKind")
                        .asText())
                .isEqualTo("MakeList");
    }

    @Test
    void a_name_that_is_taken_is_told_and_given_when_it_is_free() {
        define("makes", "Make");
        await().atMost(PATIENCE).until(() -> served.kinds.containsKey("makes.example.com"));
        define("others", "Make");
        await().atMost(PATIENCE)
                .until(() -> condition("others.example.com", "NamesAccepted"), "False ListKindConflict"::equals);
        assertThat(condition("others.example.com", "Established")).isEqualTo("False NotAccepted");
        assertThat(served.kinds).doesNotContainKey("others.example.com");

        registry.delete(CRDS, "", "makes.example.com");
        registry.update(CRDS, "", "makes.example.com", crd -> ((ObjectNode) crd.path("metadata")).remove("finalizers"));

        await().atMost(PATIENCE).until(() -> served.kinds.containsKey("others.example.com"));
    }

    @Test
    void a_status_that_could_not_be_written_is_written_later() {
        define("makes", "Make");
        await().atMost(PATIENCE)
                .until(() -> condition("makes.example.com", "Established"), "True InitialNamesAccepted"::equals);
        served.onNext.set(() -> registry.kv().failAfter(0, 1));

        registry.update(
                CRDS,
                "",
                "makes.example.com",
                crd -> ((ObjectNode) crd.at("/spec/names"))
                        .putArray("shortNames")
                        .add("mk"));

        await().atMost(PATIENCE)
                .until(() -> registry.read(CRDS, "", "makes.example.com")
                        .at("/status/acceptedNames/shortNames/0")
                        .asText()
                        .equals("mk"));
        assertThat(registry.kv().failuresLeft()).isZero();
    }

    @Test
    void one_that_cannot_be_served_keeps_no_other_from_it_and_is_tried_again() {
        served.broken = "bads.example.com";
        define("bads", "Bad");
        define("makes", "Make");
        await().atMost(PATIENCE).until(() -> served.kinds.containsKey("makes.example.com"));
        assertThat(controller.synced()).isTrue();

        served.broken = "";

        await().atMost(PATIENCE).until(() -> served.kinds.containsKey("bads.example.com"));
    }

    @Test
    void a_deleted_definition_that_was_never_served_goes() {
        define("makes", "Make");
        define("others", "Make");
        await().atMost(PATIENCE)
                .until(() -> condition("others.example.com", "Established"), "False NotAccepted"::equals);
        registry.delete(CRDS, "", "others.example.com");
        await().atMost(PATIENCE).until(() -> {
            try {
                registry.read(CRDS, "", "others.example.com");
                return false;
            } catch (ApiException e) {
                return true;
            }
        });
    }
}
