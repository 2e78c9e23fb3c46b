package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms in which objects, lists and the API's own description go over HTTP. */
@ExtendWith(MemoryServer.class)
class HttpFormsIT {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    private ApiClient api;
    private String configMaps;

    @BeforeEach
    void use(ApiClient api, Namespace namespace) {
        this.api = api;
        this.configMaps = namespace.path("configmaps");
    }

    // ---- asking

    @Test
    void a_selector_may_be_as_long_as_kubernetes_takes_it() {
        api.post(configMaps, ApiClient.configMap("a", "1")).succeeded();
        String names = IntStream.range(0, 20_000).mapToObj(i -> "v" + i).collect(Collectors.joining(","));
        String query = "?labelSelector=" + URLEncoder.encode("app notin (" + names + ")", StandardCharsets.UTF_8);
        Answer selected = api.get(configMaps + query, "X-Long", "x".repeat(100_000));
        assertThat(selected.code()).isEqualTo(200);
        assertThat(selected.at("/items/0/metadata/name")).isEqualTo("a");
    }

    // ---- writing

    @Test
    void an_object_is_created_replaced_patched_and_deleted() {
        Answer created = api.post(configMaps, ApiClient.configMap("a", "1"));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/metadata/uid")).isNotEmpty();
        assertThat(created.at("/metadata/creationTimestamp")).isNotEmpty();

        Answer replaced = api.put(configMaps + "/a", ApiClient.configMap("a", "2"));
        assertThat(replaced.code()).isEqualTo(200);
        assertThat(replaced.at("/data/value")).isEqualTo("2");
        assertThat(replaced.at("/metadata/uid")).isEqualTo(created.at("/metadata/uid"));
        assertThat(revision(replaced)).isGreaterThan(revision(created));

        assertThat(api.patch(configMaps + "/a", "{\"data\":{\"value\":null,\"other\":\"3\"}}")
                        .json()
                        .get("data"))
                .hasToString("{\"other\":\"3\"}");
        byte[] operations = ApiClient.bytes("[{\"op\":\"move\",\"from\":\"/data/other\",\"path\":\"/data/moved\"}]");
        Answer moved = api.send("PATCH", configMaps + "/a", operations, "Content-Type", "application/json-patch+json");
        assertThat(moved.json().get("data")).hasToString("{\"moved\":\"3\"}");

        Answer deleted = api.delete(configMaps + "/a");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.at("/metadata/uid"));
        assertThat(api.get(configMaps + "/a").code()).isEqualTo(404);
    }

    @Test
    void a_write_that_changes_nothing_is_no_new_revision() {
        Answer created = api.post(configMaps, ApiClient.configMap("a", "1"));
        assertThat(revision(api.put(configMaps + "/a", ApiClient.configMap("a", "1"))))
                .isEqualTo(revision(created));
        assertThat(revision(api.patch(configMaps + "/a", "{\"data\":{\"value\":\"1\"}}")))
                .isEqualTo(revision(created));
    }

    @Test
    void yaml_goes_in_and_out() {
        String yaml =
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  text: |\n    one\n    two\n  yes: 'no'\n";
        Answer created = api.send(
                "POST",
                configMaps,
                ApiClient.bytes(yaml),
                "Content-Type",
                "application/yaml",
                "Accept",
                "application/yaml");
        assertThat(created.code()).as(created.toString()).isEqualTo(201);
        assertThat(created.header("Content-Type")).startsWith("application/yaml");
        assertThat(created.text()).contains("kind: ConfigMap\n").contains("  name: a\n");
        assertThat(api.get(configMaps + "/a").json().get("data"))
                .hasToString("{\"text\":\"one\\ntwo\\n\",\"yes\":\"no\"}");
        assertThat(api.get(configMaps, "Accept", "application/yaml").text()).contains("kind: ConfigMapList\n");
    }

    @Test
    void a_collection_is_deleted_by_its_labels() {
        create("a", "web");
        create("b", "web");
        create("c", "db");
        assertThat(api.delete(configMaps + "?labelSelector=app%3Dweb").code()).isEqualTo(200);
        assertThat(names(api.get(configMaps))).containsExactly("c");
    }

    @Test
    void an_object_with_a_finalizer_goes_when_its_finalizer_goes() {
        api.post(configMaps, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}")
                .succeeded();
        Answer held = api.delete(configMaps + "/a");
        assertThat(held.code()).isEqualTo(200);
        assertThat(held.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(api.get(configMaps + "/a").at("/metadata/deletionTimestamp")).isNotEmpty();
        api.patch(configMaps + "/a", "{\"metadata\":{\"finalizers\":null}}").succeeded();
        assertThat(api.get(configMaps + "/a").code()).isEqualTo(404);
    }

    // ---- reading

    @Test
    void long_answers_are_compressed_for_those_who_ask() throws IOException {
        String data = "{\"data\":{\"k\":\"" + "0123456789abcdef".repeat(9_000) + "\"}}";
        create("a", "web");
        create("b", "web");
        Answer small = api.send("GET", configMaps + "/a", null, "Accept-Encoding", "gzip");
        assertThat(small.header("Content-Encoding")).isEmpty();
        api.patch(configMaps + "/a", data).succeeded();
        api.patch(configMaps + "/b", data).succeeded();
        for (String path : List.of(configMaps + "/a", configMaps)) {
            Answer plain = api.get(path);
            Answer packed = api.send("GET", path, null, "Accept-Encoding", "gzip");
            assertThat(plain.header("Content-Encoding")).isEmpty();
            assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
            assertThat(packed.response().body().length)
                    .isLessThan(plain.response().body().length / 10);
            try (var in = new GZIPInputStream(
                    new ByteArrayInputStream(packed.response().body()))) {
                assertThat(in.readAllBytes()).isEqualTo(plain.response().body());
            }
        }
    }

    @Test
    void head_answers_as_get_does_but_without_a_body() {
        create("a", "web");
        Answer head = api.send("HEAD", configMaps + "/a", null);
        assertThat(head.code()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.header("Content-Length"))
                .isEqualTo(
                        Integer.toString(api.get(configMaps + "/a").response().body().length));
        assertThat(api.send("HEAD", configMaps + "/missing", null).code()).isEqualTo(404);
        assertThat(api.send("HEAD", configMaps, null).code()).isEqualTo(200);
        assertThat(api.send("HEAD", "/version", null).code()).isEqualTo(200);
    }

    @Test
    void a_list_says_its_kind_and_revision_and_can_be_pretty() {
        create("a", "web");
        Answer list = api.get(configMaps);
        assertThat(list.at("/kind")).isEqualTo("ConfigMapList");
        assertThat(list.at("/apiVersion")).isEqualTo("v1");
        assertThat(revision(list)).isGreaterThanOrEqualTo(revision(api.get(configMaps + "/a")));
        assertThat(list.text()).doesNotContain("\n  ");
        assertThat(api.get(configMaps + "?pretty=true").text()).contains("\n  \"items\": [");
    }

    @Test
    void a_table_has_the_columns_that_kubectl_shows() {
        create("a", "web");
        JsonNode table =
                api.get(configMaps, "Accept", TABLE + ",application/json").json();
        assertThat(table.at("/kind").asText()).isEqualTo("Table");
        assertThat(table.at("/apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
        assertThat(table.at("/columnDefinitions").findValuesAsText("name")).containsExactly("Name", "Data", "Age");
        assertThat(table.at("/rows/0/cells/0").asText()).isEqualTo("a");
        assertThat(table.at("/rows/0/cells/1").asInt()).isEqualTo(1);
        assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");

        JsonNode whole =
                api.get(configMaps + "/a?includeObject=Object", "Accept", TABLE).json();
        assertThat(whole.at("/rows/0/object/data/value").asText()).isEqualTo("1");
        JsonNode bare =
                api.get(configMaps + "/a?includeObject=None", "Accept", TABLE).json();
        assertThat(bare.at("/rows/0/object").isMissingNode()
                        || bare.at("/rows/0/object").isNull())
                .isTrue();
    }

    @Test
    void metadata_can_be_had_alone() {
        create("a", "web");
        JsonNode one = api.get(configMaps + "/a", "Accept", METADATA).json();
        assertThat(one.at("/kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(one.at("/metadata/labels/app").asText()).isEqualTo("web");
        assertThat(one.has("data")).isFalse();
        JsonNode list = api.get(configMaps, "Accept", METADATA_LIST).json();
        assertThat(list.at("/kind").asText()).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0/metadata/name").asText()).isEqualTo("a");
        assertThat(list.at("/items/0").has("data")).isFalse();
    }

    @Test
    void pages_show_one_state_from_the_first_to_the_last() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            create("item-" + i, "web");
            expected.add("item-" + i);
        }
        Answer page = api.get(configMaps + "?limit=2");
        assertThat(page.at("/metadata/remainingItemCount")).isEqualTo("3");
        String first = page.at("/metadata/resourceVersion");
        List<String> seen = new ArrayList<>(names(page));
        create("item-00", "late");
        while (!page.at("/metadata/continue").isEmpty()) {
            page = api.get(configMaps + "?limit=2&continue=" + page.at("/metadata/continue"))
                    .succeeded();
            assertThat(page.at("/metadata/resourceVersion")).isEqualTo(first);
            seen.addAll(names(page));
        }
        assertThat(seen).isEqualTo(expected);
        assertThat(names(api.get(configMaps + "?resourceVersionMatch=Exact&resourceVersion=" + first)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "labelSelector=app%3Dweb a,b",
                "labelSelector=app%3D%3Ddb c",
                "labelSelector=app!%3Dweb c,d",
                "labelSelector=app%20in%20(db,web) a,b,c",
                "labelSelector=app%20notin%20(web) c,d",
                "labelSelector=app a,b,c",
                "labelSelector=!app d",
                "fieldSelector=metadata.name%3Db b",
                "fieldSelector=metadata.name!%3Db a,c,d",
                "labelSelector=app%3Dweb&fieldSelector=metadata.name!%3Db a"
            })
    void selectors_choose_what_is_listed(String query, String expected) {
        create("a", "web");
        create("b", "web");
        create("c", "db");
        api.post(configMaps, ApiClient.configMap("d", "1")).succeeded();
        assertThat(String.join(",", names(api.get(configMaps + "?" + query)))).isEqualTo(expected);
    }

    @Test
    void a_read_can_ask_for_a_state_that_is_new_enough_and_is_told_where_it_is_not_there_yet() {
        Answer created = api.post(configMaps, ApiClient.configMap("a", "1"));
        String query = "?resourceVersionMatch=NotOlderThan&resourceVersion=";
        assertThat(names(api.get(configMaps + query + revision(created)))).containsExactly("a");
        Answer future = api.get(configMaps + query + (revision(created) + 1_000_000));
        assertThat(future.code()).isEqualTo(504);
        assertThat(future.at("/reason")).isEqualTo("Timeout");
        assertThat(future.at("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
    }

    // ---- what describes the API

    @Test
    void the_version_is_one_of_kubernetes() {
        JsonNode version = api.get("/version").json();
        assertThat(version.at("/major").asText()).isEqualTo("1");
        assertThat(version.at("/gitVersion").asText()).startsWith("v1.");
    }

    @Test
    void discovery_comes_in_the_old_and_in_the_aggregated_form() {
        assertThat(api.get("/api").json().get("versions")).hasToString("[\"v1\"]");
        assertThat(api.get("/apis").json().at("/groups").findValuesAsText("name"))
                .contains("apps", "batch", "coordination.k8s.io");
        JsonNode core = api.get("/api/v1").json();
        assertThat(core.at("/kind").asText()).isEqualTo("APIResourceList");
        assertThat(core.at("/resources").findValuesAsText("name"))
                .contains("pods", "pods/status", "configmaps", "namespaces", "services");
        assertThat(api.get("/apis/apps/v1").json().at("/resources").findValuesAsText("name"))
                .contains("deployments", "deployments/scale", "statefulsets", "daemonsets", "replicasets");

        String aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        Answer all = api.get("/apis", "Accept", aggregated);
        assertThat(all.at("/kind")).isEqualTo("APIGroupDiscoveryList");
        assertThat(all.header("Content-Type")).contains("as=APIGroupDiscoveryList");
        assertThat(all.json().findValuesAsText("resource")).contains("deployments", "jobs", "leases");
        String etag = all.header("ETag");
        assertThat(api.get("/apis", "Accept", aggregated, "If-None-Match", etag).code())
                .isEqualTo(304);
    }

    @Test
    void openapi_describes_every_group_version() {
        JsonNode paths = api.get("/openapi/v3").json().get("paths");
        assertThat(paths.fieldNames()).toIterable().contains("api/v1", "apis/apps/v1", "apis/batch/v1");
        JsonNode apps = api.get(paths.at("/apis~1apps~1v1/serverRelativeURL").asText())
                .succeeded()
                .json();
        assertThat(apps.at("/openapi").asText()).startsWith("3.");
        assertThat(apps.at("/paths").has("/apis/apps/v1/namespaces/{namespace}/deployments"))
                .isTrue();
        assertThat(api.get("/openapi/v2").succeeded().at("/swagger")).isEqualTo("2.0");
    }

    @Test
    void openapi_of_a_hash_is_kept_for_good_and_an_old_hash_leads_to_the_present_one() {
        String path = "/openapi/v3/apis/apps/v1";
        String hashed = api.get("/openapi/v3").at("/paths/apis~1apps~1v1/serverRelativeURL");
        Answer kept = api.get(hashed).succeeded();
        assertThat(kept.header("Cache-Control")).isEqualTo("public, immutable");
        assertThat(kept.header("Expires")).endsWith(" GMT");
        assertThat(api.get(path).succeeded().header("Cache-Control")).isEqualTo("no-cache, private");
        Answer moved = api.get(path + "?hash=0123");
        assertThat(moved.code()).isEqualTo(301);
        assertThat(moved.header("Location")).isEqualTo(hashed);
        for (String document : List.of(path, "/openapi/v2", "/openapi/v3")) {
            String etag = api.get(document).header("ETag");
            assertThat(api.get(document, "If-None-Match", etag).code())
                    .as(document)
                    .isEqualTo(304);
        }
    }

    private void create(String name, String app) {
        api.post(
                        configMaps,
                        "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"%s\"}},\"data\":{\"value\":\"1\"}}"
                                .formatted(name, app))
                .succeeded();
    }

    private static List<String> names(Answer list) {
        List<String> names = new ArrayList<>();
        list.succeeded()
                .json()
                .at("/items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private static long revision(Answer answer) {
        return Long.parseLong(answer.succeeded().at("/metadata/resourceVersion"));
    }
}
