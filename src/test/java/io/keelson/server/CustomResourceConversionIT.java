package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.ConversionServer;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.WatchClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A custom kind whose versions a webhook converts: {@code host} of v1, which is stored, is {@code hostname} in v2. */
@ExtendWith(MemoryServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomResourceConversionIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CRD = CRDS + "/sites.conversion.example.com";

    private ConversionServer webhook;
    private ServerProcess server;
    private ApiClient api;
    private String namespace;

    @BeforeAll
    void startWebhook(@TempDir Path folder) {
        webhook = ConversionServer.start(folder);
    }

    @AfterAll
    void stopWebhook() {
        webhook.close();
    }

    @BeforeEach
    void define(ServerProcess server, ApiClient api, Namespace namespace) {
        this.server = server;
        this.api = api;
        this.namespace = namespace.name();
        webhook.answerOtherwise(answer -> answer);
        webhook.forgetRequests();
        api.post(CRDS, crd()).succeeded();
        await().atMost(PATIENCE).until(() -> api.get(sites("v2")).code() == 200);
    }

    @AfterEach
    void remove() {
        webhook.answerOtherwise(answer -> answer);
        api.delete(CRD).succeeded();
        await().atMost(PATIENCE).until(() -> api.get(CRD).code() == 404);
    }

    private String crd() {
        return "{'metadata':{'name':'sites.conversion.example.com'},'spec':{'group':'conversion.example.com',"
                        .replace('\'', '"')
                + "'scope':'Namespaced','names':{'plural':'sites','kind':'Site'},'versions':[".replace('\'', '"')
                + version("v1", "host", true) + "," + version("v2", "hostname", false) + "],\"conversion\":"
                + webhook.conversion() + "}}";
    }

    private static String version(String name, String field, boolean stored) {
        return ("{'name':'" + name + "','served':true,'storage':" + stored + ",'subresources':{'status':{},'scale':{"
                        + "'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas'}},"
                        + "'selectableFields':[{'jsonPath':'.spec." + field + "'}],"
                        + "'additionalPrinterColumns':[{'name':'" + field + "','type':'string','jsonPath':'.spec."
                        + field
                        + "'}],'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
                        + "'properties':{'" + field + "':{'type':'string','maxLength':9},'replicas':{'type':'integer',"
                        + "'default':1}}},'status':{'type':'object','properties':{'replicas':{'type':'integer'}}}}}}}")
                .replace('\'', '"');
    }

    private String sites(String version) {
        return "/apis/conversion.example.com/" + version + "/namespaces/" + namespace + "/sites";
    }

    private static String site(String version, String name, String field, String host) {
        return ("{'apiVersion':'conversion.example.com/" + version + "','kind':'Site','metadata':{'name':'" + name
                        + "'},'spec':{'" + field + "':'" + host + "'}}")
                .replace('\'', '"');
    }

    private void create(String version, String name, String field, String host) {
        api.post(sites(version), site(version, name, field, host)).succeeded();
    }

    private List<String> texts(JsonNode list, String pointer) {
        var texts = new ArrayList<String>();
        list.forEach(one -> texts.add(one.at(pointer).asText()));
        return texts;
    }

    @Test
    void each_version_reads_and_writes_what_is_stored_in_one() {
        create("v1", "a", "host", "one");
        create("v2", "b", "hostname", "two");
        assertThat(webhook.requests()).as("only v2 is converted").hasSize(2);
        Answer first = api.get(sites("v1"));
        Answer second = api.get(sites("v2"));
        assertThat(texts(first.json().path("items"), "/spec/host")).containsExactly("one", "two");
        assertThat(texts(second.json().path("items"), "/spec/hostname")).containsExactly("one", "two");
        assertThat(texts(second.json().path("items"), "/metadata/resourceVersion"))
                .isEqualTo(texts(first.json().path("items"), "/metadata/resourceVersion"));
        assertThat(texts(second.json().path("items"), "/spec/replicas")).containsExactly("1", "1");

        Answer patched = api.patch(sites("v2") + "/a", "{\"spec\":{\"hostname\":\"three\"}}")
                .succeeded();
        assertThat(patched.at("/apiVersion")).isEqualTo("conversion.example.com/v2");
        assertThat(api.get(sites("v1") + "/a").at("/spec/host")).isEqualTo("three");
        assertThat(api.patch(sites("v2") + "/a", "{\"spec\":{\"hostname\":\"longer than 9\"}}")
                        .at("/message"))
                .contains("spec.hostname: Too long");
        assertThat(api.delete(sites("v2") + "/b").code()).isEqualTo(200);
    }

    @Test
    void a_list_is_one_request_and_what_was_converted_is_not_asked_for_again() {
        for (int i = 0; i < 20; i++) {
            create("v1", "s" + i, "host", "h" + i);
        }
        assertThat(webhook.requests()).isEmpty();
        assertThat(api.get(sites("v2")).json().path("items")).hasSize(20);
        assertThat(api.get(sites("v2")).json().path("items")).hasSize(20);
        assertThat(webhook.requests()).containsExactly(20);
    }

    @Test
    void fields_columns_status_and_scale_are_those_of_the_version() {
        create("v1", "a", "host", "one");
        create("v1", "b", "host", "two");
        assertThat(texts(
                        api.get(sites("v2") + "?fieldSelector=spec.hostname%3Dtwo")
                                .json()
                                .path("items"),
                        "/metadata/name"))
                .containsExactly("b");
        assertThat(api.get(sites("v2") + "?fieldSelector=spec.host%3Dtwo").code())
                .isEqualTo(400);
        Answer table = api.get(sites("v2"), "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        assertThat(table.at("/columnDefinitions/1/name")).isEqualTo("hostname");
        assertThat(table.at("/rows/1/cells/1")).isEqualTo("two");

        assertThat(api.patch(sites("v2") + "/a/status", "{\"status\":{\"replicas\":4}}")
                        .at("/spec/hostname"))
                .isEqualTo("one");
        assertThat(api.patch(sites("v2") + "/a/scale", "{\"spec\":{\"replicas\":5}}")
                        .at("/status/replicas"))
                .isEqualTo("4");
        assertThat(api.get(sites("v1") + "/a").at("/spec/replicas")).isEqualTo("5");
    }

    @Test
    void watches_show_their_version() {
        create("v1", "a", "host", "one");
        try (var watch = WatchClient.open(URI.create(server.url() + sites("v2") + "?watch=1"));
                var selecting = WatchClient.open(
                        URI.create(server.url() + sites("v2") + "?watch=1&fieldSelector=spec.hostname%3Dtwo"))) {
            assertThat(watch.next(PATIENCE).object().at("/spec/hostname").asText())
                    .isEqualTo("one");
            create("v1", "b", "host", "two");
            assertThat(watch.next(PATIENCE).object().at("/spec/hostname").asText())
                    .isEqualTo("two");
            assertThat(selecting.next(PATIENCE).name()).isEqualTo("b");
            api.patch(sites("v1") + "/b", "{\"spec\":{\"host\":\"other\"}}").succeeded();
            WatchClient.Event left = selecting.next(PATIENCE);
            assertThat(left.type()).isEqualTo("DELETED");
            assertThat(left.object().at("/spec/hostname").asText()).isEqualTo("two");
        }
    }

    @Test
    void who_owns_a_field_is_known_in_the_version_of_each_owner() {
        apply("v1", "first", "host", "one", false).succeeded();
        Answer conflict = apply("v2", "second", "hostname", "two", false);
        assertThat(conflict.code()).isEqualTo(409);
        assertThat(conflict.at("/message")).contains("conflict with \"first\": .spec.host");
        Answer forced = apply("v2", "second", "hostname", "two", true).succeeded();
        assertThat(texts(forced.json().at("/metadata/managedFields"), "/apiVersion"))
                .contains("conversion.example.com/v2");
        assertThat(api.get(sites("v1") + "/a").at("/spec/host")).isEqualTo("two");
        assertThat(apply("v1", "second", "replicas", "2", false)
                        .json()
                        .path("spec")
                        .toString())
                .isEqualTo("{\"replicas\":2}");
    }

    private Answer apply(String version, String manager, String field, String value, boolean force) {
        String body = field.equals("replicas")
                ? site(version, "a", "none", "").replace("{\"none\":\"\"}", "{\"replicas\":" + value + "}")
                : site(version, "a", field, value);
        return api.send(
                "PATCH",
                sites(version) + "/a?fieldManager=" + manager + "&force=" + force,
                ApiClient.bytes(body),
                "Content-Type",
                "application/apply-patch+yaml");
    }

    @Test
    void a_webhook_that_fails_is_told_to_those_who_need_it_only() {
        create("v1", "a", "host", "one");
        webhook.answerOtherwise(answer -> answer.path("none"));
        try (var watch = WatchClient.open(URI.create(server.url() + sites("v2") + "?watch=1"))) {
            WatchClient.Event error = watch.next(PATIENCE);
            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.object().path("code").asInt()).isEqualTo(500);
            watch.awaitEnd(PATIENCE);
        }
        for (Answer answer : List.of(
                api.get(sites("v2")),
                api.get(sites("v2") + "/a"),
                api.post(sites("v2"), site("v2", "b", "hostname", "b")))) {
            assertThat(answer.code()).as(answer.toString()).isEqualTo(500);
            assertThat(answer.at("/message"))
                    .startsWith("conversion webhook for conversion.example.com/v")
                    .contains(" failed: ");
        }
        assertThat(api.get(sites("v1")).json().path("items")).hasSize(1);
        assertThat(api.delete(sites("v1") + "/a").code()).isEqualTo(200);
    }

    @Test
    void a_write_that_could_not_be_answered_does_not_happen() {
        create("v1", "a", "host", "one");
        webhook.answerOtherwise(answer ->
                answer.at("/response/convertedObjects/0/apiVersion").asText().endsWith("/v2")
                        ? answer.path("none")
                        : answer);
        for (Answer answer : List.of(
                api.delete(sites("v2") + "/a"),
                api.delete(sites("v2")),
                api.patch(sites("v2") + "/a", "{\"spec\":{\"hostname\":\"two\"}}"),
                api.patch(sites("v2") + "/a/scale", "{\"spec\":{\"replicas\":5}}"),
                api.patch(sites("v2") + "/a/status", "{\"status\":{\"replicas\":4}}"),
                api.post(sites("v2"), site("v2", "b", "hostname", "b")),
                apply("v2", "test", "hostname", "c", true))) {
            assertThat(answer.code()).as(answer.toString()).isEqualTo(500);
            assertThat(answer.at("/message"))
                    .startsWith("conversion webhook for conversion.example.com/v1, Kind=Site failed: ");
        }
        Answer kept = api.get(sites("v1")).succeeded();
        assertThat(texts(kept.json().path("items"), "/metadata/name")).containsExactly("a");
        assertThat(kept.at("/items/0/metadata/generation")).isEqualTo("1");
        assertThat(kept.at("/items/0/spec/host")).isEqualTo("one");
        assertThat(api.delete(sites("v1") + "/a").code()).isEqualTo(200);
        assertThat(api.get(sites("v1") + "/a").code()).isEqualTo(404);
    }

    @Test
    void pages_of_what_is_selected_in_another_version_are_full() {
        for (int i = 0; i < 6; i++) {
            create("v1", "s" + i, "host", i % 2 == 0 ? "even" : "odd");
        }
        String selected = sites("v2") + "?fieldSelector=spec.hostname%3Dodd&limit=2";
        Answer first = api.get(selected).succeeded();
        assertThat(texts(first.json().path("items"), "/metadata/name")).containsExactly("s1", "s3");
        Answer second = api.get(selected + "&continue=" + first.at("/metadata/continue"))
                .succeeded();
        assertThat(texts(second.json().path("items"), "/metadata/name")).containsExactly("s5");
        assertThat(second.at("/metadata/continue")).isEmpty();
    }
}
