package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.Kubectl;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.WatchClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The life of a definition: installed, changed under open watches, versions that come and go, removed with its objects. */
@ExtendWith(MemoryServer.class)
class CustomResourceLifeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long discovery and OpenAPI may take to follow a definition: a second, with room for a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final ServerProcess server;
    private final ApiClient api;
    private final String namespace;
    private final Kubectl kubectl;

    CustomResourceLifeIT(ServerProcess server, ApiClient api, Namespace namespace, @TempDir Path home) {
        this.server = server;
        this.api = api;
        this.namespace = namespace.name();
        this.kubectl = new Kubectl(server.kubeconfig(), home);
    }

    /** A version whose spec has the given properties. */
    private static String version(String name, boolean served, boolean stored, String properties) {
        return ("{'name':'" + name + "','served':" + served + ",'storage':" + stored
                        + ",'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size'}],"
                        + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object','properties':{"
                        + properties + "}}}}}}")
                .replace('\'', '"');
    }

    private static String group(String plural) {
        return plural + ".life.example.com";
    }

    /** Each test has a group of its own. */
    private String define(String plural, String kind, String... versions) {
        api.post(
                        CRDS,
                        ("{'metadata':{'name':'" + plural + "." + group(plural) + "'},'spec':{'group':'" + group(plural)
                                                + "','scope':'Namespaced','names':{'plural':'" + plural + "','kind':'"
                                                + kind
                                                + "','shortNames':['" + plural.substring(0, 3) + "']},'versions':[")
                                        .replace('\'', '"')
                                + String.join(",", versions) + "]}}")
                .succeeded();
        String path = objects(plural, "v1");
        await().atMost(PATIENCE).until(() -> api.get(path).code() == 200);
        return path;
    }

    private String objects(String plural, String version) {
        return "/apis/" + group(plural) + "/" + version + "/namespaces/" + namespace + "/" + plural;
    }

    private void versions(String plural, String... versions) {
        patch(plural, "{\"spec\":{\"versions\":[" + String.join(",", versions) + "]}}")
                .succeeded();
    }

    private Answer patch(String plural, String patch) {
        return api.patch(CRDS + "/" + plural + "." + group(plural), patch);
    }

    private void remove(String plural) {
        String crd = CRDS + "/" + plural + "." + group(plural);
        api.delete(crd).succeeded();
        await().atMost(PATIENCE).until(() -> api.get(crd).code() == 404);
    }

    private void create(String path, String kind, String name, String spec) {
        api.post(
                        path,
                        "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion(path)
                                + "\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}")
                .succeeded();
    }

    private static String apiVersion(String path) {
        String[] steps = path.split("/", -1);
        return steps[2] + "/" + steps[3];
    }

    private WatchClient watch(String path) {
        return WatchClient.open(URI.create(server.url() + path + "?watch=1"));
    }

    @Test
    void a_kind_is_known_to_clients_a_moment_after_its_definition() {
        define(
                "plants",
                "Plant",
                version("v1", true, true, "'size':{'type':'integer','description':'How tall it is.'}"));
        await().atMost(SOON)
                .until(() -> api.get("/openapi/v3/apis/" + group("plants") + "/v1")
                        .text()
                        .contains("How tall it is."));
        assertThat(kubectl.call("explain", "plants.spec.size")).contains("How tall it is.");
        assertThat(kubectl.runWithInput(
                                ("{'apiVersion':'" + group("plants")
                                                + "/v1','kind':'Plant','metadata':{'name':'fern'},'spec':{'size':3}}")
                                        .replace('\'', '"'),
                                "-n",
                                namespace,
                                "apply",
                                "--server-side",
                                "-f",
                                "-")
                        .succeeded()
                        .stdout())
                .contains("fern serverside-applied");
        assertThat(kubectl.call("-n", namespace, "get", "pla")).contains("SIZE").containsPattern("fern +3");
        remove("plants");
        await().atMost(SOON).until(() -> api.get("/apis/" + group("plants")).code() == 404);
        assertThat(api.get("/apis").text()).doesNotContain(group("plants"));
    }

    @Test
    void a_new_schema_is_in_force_and_watches_go_on() {
        String path = define("trees", "Tree", version("v1", true, true, "'size':{'type':'integer'}"));
        create(path, "Tree", "oak", "{\"size\":1}");
        try (WatchClient watch = watch(path);
                WatchClient others = watch("/api/v1/namespaces/" + namespace + "/configmaps")) {
            assertThat(watch.next(PATIENCE).name()).isEqualTo("oak");
            long before = api.get(path).json().at("/metadata/resourceVersion").asLong();

            versions(
                    "trees",
                    version(
                            "v1",
                            true,
                            true,
                            "'size':{'type':'integer','maximum':5},'kind':{'type':'string','default':'wood'}"));
            await().atMost(PATIENCE)
                    .until(() -> api.get(path + "/oak").at("/spec/kind").equals("wood"));
            assertThat(api.get(path).at("/items/0/spec/kind")).isEqualTo("wood");
            assertThat(api.patch(path + "/oak", "{\"spec\":{\"size\":6}}").code())
                    .isEqualTo(422);

            api.patch(path + "/oak", "{\"spec\":{\"size\":4}}").succeeded();
            WatchClient.Event changed = watch.next(PATIENCE);
            assertThat(changed.type()).isEqualTo("MODIFIED");
            assertThat(changed.object().at("/spec/kind").asText()).isEqualTo("wood");
            try (WatchClient resumed =
                    WatchClient.open(URI.create(server.url() + path + "?watch=1&resourceVersion=" + before))) {
                assertThat(resumed.next(PATIENCE).resourceVersion()).isEqualTo(changed.resourceVersion());
            }
            api.post("/api/v1/namespaces/" + namespace + "/configmaps", ApiClient.configMap("a", "b"))
                    .succeeded();
            await().atMost(PATIENCE).until(() -> others.next(PATIENCE).name().equals("a"));
        }
        remove("trees");
    }

    @Test
    void versions_come_move_and_go() {
        String size = "'size':{'type':'integer'}";
        String first = define("birds", "Bird", version("v1", true, true, size));
        create(first, "Bird", "crow", "{\"size\":1}");
        versions("birds", version("v1", true, true, size), version("v2", true, false, size));
        String second = objects("birds", "v2");
        await().atMost(PATIENCE).until(() -> api.get(second).code() == 200);
        String hash = api.get("/apis/" + group("birds") + "/v1").at("/resources/0/storageVersionHash");
        assertThat(api.get("/apis/" + group("birds") + "/v2").at("/resources/0/storageVersionHash"))
                .isEqualTo(hash)
                .isNotEmpty();

        versions("birds", version("v1", true, false, size), version("v2", true, true, size));
        await().atMost(PATIENCE)
                .until(() -> !api.get("/apis/" + group("birds") + "/v2")
                        .at("/resources/0/storageVersionHash")
                        .equals(hash));
        Answer crow = api.get(second + "/crow");
        assertThat(crow.at("/apiVersion")).isEqualTo(group("birds") + "/v2");
        assertThat(patch("birds", "{\"spec\":{\"versions\":[" + version("v2", true, true, size) + "]}}")
                        .at("/message"))
                .contains("v1 was previously a storage version");

        Answer migrated = api.put(second + "/crow", crow.text()).succeeded();
        assertThat(migrated.at("/metadata/resourceVersion")).isNotEqualTo(crow.at("/metadata/resourceVersion"));
        try (WatchClient going = watch(first);
                WatchClient staying = watch(second)) {
            assertThat(going.next(PATIENCE).object().at("/apiVersion").asText()).isEqualTo(group("birds") + "/v1");
            assertThat(staying.next(PATIENCE).name()).isEqualTo("crow");
            api.patch(CRDS + "/birds." + group("birds") + "/status", "{\"status\":{\"storedVersions\":[\"v2\"]}}")
                    .succeeded();
            versions("birds", version("v2", true, true, size));
            going.awaitEnd(PATIENCE);
            assertThat(api.get(first).code()).isEqualTo(404);
            api.patch(second + "/crow", "{\"spec\":{\"size\":2}}").succeeded();
            assertThat(staying.next(PATIENCE).object().at("/spec/size").asInt()).isEqualTo(2);
        }
        remove("birds");
    }

    @Test
    void each_version_shows_the_fields_that_it_has() {
        String path = define(
                "fishes",
                "Fish",
                version("v1", true, true, "'size':{'type':'integer'},'fins':{'type':'integer'}"),
                version("v2", true, false, "'size':{'type':'integer'}"));
        create(path, "Fish", "eel", "{\"size\":1,\"fins\":2}");
        Answer second = api.get(objects("fishes", "v2") + "/eel");
        assertThat(second.json().at("/spec").toString()).isEqualTo("{\"size\":1}");
        assertThat(api.get(path + "/eel").at("/spec/fins")).isEqualTo("2");
        remove("fishes");
    }

    @Test
    void a_removed_definition_takes_its_objects_and_ends_its_watches() {
        String path = define("stones", "Stone", version("v1", true, true, "'size':{'type':'integer'}"));
        create(path, "Stone", "flint", "{\"size\":1}");
        assertThat(api.get("/readyz?verbose").text()).contains("watch-cache/" + group("stones") + "/stones ok");
        assertThat(api.get("/q/health/ready").text()).contains("watch-cache/" + group("stones") + "/stones");
        String metric = "apiserver_registered_watchers{group=\"" + group("stones") + "\",resource=\"stones\"}";
        try (WatchClient watch = watch(path)) {
            assertThat(watch.next(PATIENCE).name()).isEqualTo("flint");
            assertThat(api.get("/metrics").text()).contains(metric);
            remove("stones");
            assertThat(watch.next(PATIENCE).type()).isEqualTo("DELETED");
            watch.awaitEnd(PATIENCE);
        }
        await().atMost(PATIENCE).until(() -> api.get(path).code() == 404);
        assertThat(api.get("/metrics").text()).doesNotContain(metric);
        assertThat(api.get("/readyz?verbose").text()).doesNotContain(group("stones"));
        assertThat(api.get("/q/health/ready").text()).doesNotContain(group("stones"));
    }

    @Test
    void unknown_metadata_is_dropped_and_told() {
        String path = define("shells", "Shell", version("v1", true, true, "'size':{'type':'integer'}"));
        String shell = "{\"kind\":\"Shell\",\"apiVersion\":\"" + apiVersion(path)
                + "\",\"metadata\":{\"name\":\"a\",\"colour\":\"red\"}}";
        assertThat(api.post(path + "?fieldValidation=Strict", shell).at("/message"))
                .endsWith("strict decoding error: unknown field \"metadata.colour\"");
        Answer created = api.post(path, shell).succeeded();
        assertThat(created.header("Warning")).isEqualTo("299 - \"unknown field \\\"metadata.colour\\\"\"");
        assertThat(created.json().at("/metadata").has("colour")).isFalse();
        remove("shells");
    }

    @Test
    void a_name_that_another_gives_up_is_given_to_who_waits_for_it() {
        define("roses", "Rose", version("v1", true, true, "'size':{'type':'integer'}"));
        // A second definition of the group, which wants the short name of the first in an update.
        String crd = CRDS + "/thorns." + group("roses");
        api.post(
                        CRDS,
                        ("{'metadata':{'name':'thorns." + group("roses") + "'},'spec':{'group':'" + group("roses")
                                                + "','scope':'Namespaced','names':{'plural':'thorns','kind':'Thorn'},"
                                                + "'versions':[")
                                        .replace('\'', '"')
                                + version("v1", true, true, "'size':{'type':'integer'}") + "]}}")
                .succeeded();
        await().atMost(PATIENCE).until(() -> accepted(crd).equals("True"));
        api.patch(crd, "{\"spec\":{\"names\":{\"shortNames\":[\"ros\"]}}}").succeeded();
        await().atMost(PATIENCE).until(() -> accepted(crd).equals("False"));
        patch("roses", "{\"spec\":{\"names\":{\"shortNames\":[]}}}").succeeded();
        await().atMost(PATIENCE).until(() -> accepted(crd).equals("True"));
        assertThat(api.get("/apis/" + group("roses") + "/v1").text()).contains("\"shortNames\":[\"ros\"]");
        api.delete(crd).succeeded();
        await().atMost(PATIENCE).until(() -> api.get(crd).code() == 404);
        remove("roses");
    }

    private String accepted(String crd) {
        for (var condition : api.get(crd).json().at("/status/conditions")) {
            if (condition.path("type").asText().equals("NamesAccepted")) {
                return condition.path("status").asText();
            }
        }
        return "";
    }
}
