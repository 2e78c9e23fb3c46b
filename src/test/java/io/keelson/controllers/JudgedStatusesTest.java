package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.apiextensions.definition.CustomResourceDefinitions;
import io.keelson.registry.Admission;
import io.keelson.registry.RequestContext;
import io.keelson.registry.StatusRest;
import io.keelson.registry.TestingRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JudgedStatusesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CRDS = "customresourcedefinitions";
    private static final String NAME = "makes.example.com";

    private final TestingRegistry registry =
            new TestingRegistry(List.of(CustomResourceDefinitions.definition()), Admission.ALL, false);
    private final JudgedStatuses statuses =
            new JudgedStatuses(new StatusRest(registry.store(CRDS)), TestingRegistry.CLOCK);

    @BeforeEach
    void start() {
        statuses.start();
        registry.create(
                CRDS,
                "",
                "{'metadata':{'name':'" + NAME + "'},'spec':{'group':'example.com','scope':'Namespaced',"
                        + "'names':{'plural':'makes','kind':'Make'},'versions':[{'name':'v1','served':true,"
                        + "'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}");
    }

    @AfterEach
    void stop() {
        statuses.close();
        registry.close();
    }

    private ApiObject present() {
        return registry.store(CRDS).get(RequestContext.internal("", TestingRegistry.NOW), NAME, null);
    }

    private static ObjectNode status(ApiObject object, String kind) {
        var status = (ObjectNode) Json.parseTrusted(object.json()).path("status");
        status.putObject("acceptedNames").put("plural", "makes").put("kind", kind);
        return status;
    }

    private String kind() {
        return registry.read(CRDS, "", NAME).at("/status/acceptedNames/kind").asText();
    }

    @Test
    void what_the_store_does_not_take_is_written_when_it_does() {
        ApiObject judged = present();
        registry.kv().failAfter(0, 5);

        statuses.write(judged, status(judged, "Make"));

        await().atMost(PATIENCE).until(() -> registry.kv().failuresLeft() == 0 && statuses.waiting() == 0);
        assertThat(kind()).isEqualTo("Make");
    }

    @Test
    void what_breaks_a_rule_is_given_up_when_there_is_a_later_state() {
        ApiObject judged = present();

        statuses.write(judged, status(judged, "not a kind"));

        assertThat(statuses.waiting()).isOne();
        registry.update(
                CRDS,
                "",
                NAME,
                crd -> ((ObjectNode) crd.at("/spec/names"))
                        .putArray("shortNames")
                        .add("mk"));
        await().atMost(PATIENCE).until(() -> statuses.waiting() == 0);
        assertThat(kind()).isEmpty();
    }

    @Test
    void a_status_of_a_former_state_is_not_written() {
        ApiObject judged = present();
        registry.update(
                CRDS,
                "",
                NAME,
                crd -> ((ObjectNode) crd.at("/spec/names"))
                        .putArray("shortNames")
                        .add("mk"));

        statuses.write(judged, status(judged, "Make"));

        assertThat(statuses.waiting()).isZero();
        assertThat(kind()).isEmpty();
    }
}
