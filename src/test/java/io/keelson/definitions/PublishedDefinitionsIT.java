package io.keelson.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The definitions of real projects are taken as they are, and their objects are judged by all of their schemas. */
@ExtendWith(MemoryServer.class)
class PublishedDefinitionsIT {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final String YAML = "application/yaml";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ApiClient api;

    PublishedDefinitionsIT(ApiClient api) {
        this.api = api;
    }

    /** The server is shared by other test classes. */
    @AfterAll
    static void remove(ApiClient api) {
        for (PublishedDefinition definition : PublishedDefinition.values()) {
            api.delete(DEFINITIONS + definition.metadataName()).succeeded();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isEstablishedAndServed(PublishedDefinition definition) {
        JsonNode installed = install(definition);

        assertThat(conditions(installed)).containsEntry("Established", "True").doesNotContainKey("NonStructuralSchema");
        JsonNode spec = installed.path("spec");
        String plural = spec.at("/names/plural").asText();
        for (JsonNode version : spec.path("versions")) {
            String path = "/apis/" + spec.path("group").asText() + "/"
                    + version.path("name").asText();
            Answer resources = api.get(path).succeeded();
            assertThat(resources.json().path("resources").findValuesAsText("name"))
                    .contains(plural);
            assertThat(api.get(path + "/" + plural).succeeded().at("/kind"))
                    .isEqualTo(spec.at("/names/listKind").asText());
            assertThat(api.get("/openapi/v3" + path).succeeded().text())
                    .contains("/" + plural + "/{name}")
                    .contains("\"" + spec.at("/names/kind").asText() + "\"");
        }
    }

    @Test
    void judgesFlinkDeployments(MemoryServer.Namespace namespace) {
        install(PublishedDefinition.FLINK_DEPLOYMENTS);
        var objects = new Objects("flink.apache.org/v1beta1", "FlinkDeployment", "flinkdeployments", namespace);
        JsonNode created = objects.lives("""
                image: registry.example.com/streams:2.1
                flinkVersion: v1_20
                flinkConfiguration: {taskmanager.numberOfTaskSlots: "2"}
                jobManager: {replicas: 1, resource: {cpu: 1, memory: 2048m}}
                taskManager: {resource: {cpu: 0.5, memory: 4096m}}
                podTemplate:
                  spec:
                    containers:
                    - name: main
                      ports: [{name: metrics, containerPort: 9249}]
                      resources: {limits: {cpu: 2, memory: 4Gi}}
                      livenessProbe: {httpGet: {path: /live, port: metrics}}
                job: {jarURI: "local:///opt/streams.jar", parallelism: 2, upgradeMode: savepoint}
                """, "{job: {parallelism: 3}}");
        assertThat(created.at("/spec/podTemplate/spec/containers/0/resources/limits"))
                .hasToString("{\"cpu\":2,\"memory\":\"4Gi\"}");

        objects.drops(
                "podTemplate: {spec: {containers: [{name: main, somethingNew: 1}]}}",
                "/spec/podTemplate/spec/containers/0");
        objects.refuses("flinkVersion: v0_9", "spec.flinkVersion", "Unsupported value");
        objects.refuses(
                "taskManager: {podTemplate: {spec: {initContainers: [{name: a}, {name: b, ports: [{containerPort: web}]}]}}}",
                "spec.taskManager.podTemplate.spec.initContainers[1].ports[0].containerPort",
                "must be of type integer: \"string\"");
        objects.refuses(
                "podTemplate: {spec: {containers: [{resources: {limits: {cpu: true}}}]}}",
                "spec.podTemplate.spec.containers[0].resources.limits.cpu",
                "must be of type integer,string: \"boolean\"");
    }

    @Test
    void judgesCamelPipes(MemoryServer.Namespace namespace) {
        install(PublishedDefinition.CAMEL_PIPES);
        var objects = new Objects("camel.apache.org/v1", "Pipe", "pipes", namespace);
        JsonNode created = objects.lives("""
                replicas: 2
                source: {ref: {apiVersion: camel.apache.org/v1, kind: Kamelet, name: timer}, properties: {period: 1000, deep: {er: [1]}}}
                sink: {uri: "log:info"}
                integration:
                  traits: {container: {port: 8080, imagePullPolicy: Always}}
                  template: {spec: {containers: [{name: main, ports: [{containerPort: 8080}]}]}}
                """, "{replicas: 3, steps: [{uri: \"direct:a\"}]}");
        assertThat(created.at("/spec/source/properties")).hasToString("{\"period\":1000,\"deep\":{\"er\":[1]}}");
        assertThat(created.at("/spec/integration/template/spec/containers/0"))
                .hasToString("{\"name\":\"main\",\"ports\":[{\"containerPort\":8080,\"protocol\":\"TCP\"}]}");
        objects.drops(
                "integration: {template: {spec: {containers: [{name: main, somethingNew: 1}]}}}",
                "/spec/integration/template/spec/containers/0");
        Answer scale = api.get(objects.path + "/one/scale").succeeded();
        assertThat(scale.at("/spec/replicas")).isEqualTo("3");

        objects.refuses(
                "integration: {traits: {container: {imagePullPolicy: Sometimes}}}",
                "spec.integration.traits.container.imagePullPolicy",
                "Unsupported value: \"Sometimes\"");
        objects.refuses(
                "integration: {template: {spec: {containers: [{name: a, env: [{value: nameless}]}]}}}",
                "spec.integration.template.spec.containers[0].env[0].name",
                "Required value");
        objects.refuses(
                "steps: [{}, {dataTypes: {in: {format: 1}}}]",
                "spec.steps[1].dataTypes.in.format",
                "must be of type string: \"integer\"");
    }

    @Test
    void judgesWhatIsGeneratedWithRules(MemoryServer.Namespace namespace) {
        install(PublishedDefinition.PLATFORMS);
        var objects = new Objects("platform.example.com/v1", "Platform", "platforms", namespace);
        JsonNode created = objects.lives("""
                entry: web
                components:
                - name: web
                  replicas: 3
                  surge: 20%
                  source: https://git.example.com/web
                  template: {spec: {containers: [{name: web, image: "web:1"}], hostNetwork: false}}
                - name: data
                  stateful: true
                  storage: {resources: {requests: {storage: 10Gi}}}
                quotas: {cpu: 4, memory: 8Gi}
                """, "{maxReplicas: 8}");
        assertThat(created.at("/spec/tier").asText()).isEqualTo("standard");
        assertThat(created.at("/spec/components/1/replicas").asInt()).isEqualTo(1);

        String web = "components: [{name: web}]\n";
        objects.refuses(web + "entry: other", "spec", "entry must name a component");
        objects.refuses("components: [{name: web}]\nmaxReplicas: 0", "spec.maxReplicas", "at most 0 replicas in all");
        objects.refuses(
                "components: [{name: web}, {name: db, stateful: true}]",
                "spec.components[1].storage",
                "Required value: a stateful component needs storage");
        objects.refuses(
                "components: [{name: web, source: nowhere}]", "spec.components[0].source", "source must be a URL");
        objects.refuses(
                "components: [{name: web, template: {spec: {hostNetwork: true}}}]",
                "spec.components[0].template.spec.hostNetwork",
                "the network of the host is not for components");
        objects.refuses("components: [{name: Web}]", "spec.components[0].name", "should match");
        objects.refuses("components: []", "spec.components", "should have at least 1 items");
        Answer changed = api.patch(objects.path + "/one", "{\"spec\":{\"tier\":\"premium\"}}");
        assertThat(causes(changed)).containsEntry("spec.tier", "Forbidden: tier cannot be changed");
        assertThat(api.get(objects.path + "?fieldSelector=spec.tier%3Dstandard")
                        .succeeded()
                        .json()
                        .path("items"))
                .hasSize(2);
    }

    /** The objects of one kind in one namespace. */
    private final class Objects {
        private final String head;
        private final String path;

        Objects(String apiVersion, String kind, String plural, MemoryServer.Namespace namespace) {
            this.head = "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: ";
            this.path = "/apis/" + apiVersion + "/namespaces/" + namespace.name() + "/" + plural;
        }

        /** Creates an object and changes it by an apply; returns what was created. */
        JsonNode lives(String spec, String applied) {
            Answer created = send("POST", "", manifest("one", spec)).succeeded();
            Answer merged = send("PATCH", "/one?fieldManager=test", manifest("one", applied));
            assertThat(merged.code()).as(merged.toString()).isEqualTo(409);
            merged = send("PATCH", "/one?fieldManager=test&force=true", manifest("one", applied))
                    .succeeded();
            assertThat(merged.at("/metadata/generation")).isEqualTo("2");
            Answer again = send("PATCH", "/one?fieldManager=test", manifest("one", applied))
                    .succeeded();
            assertThat(again.at("/metadata/resourceVersion")).isEqualTo(merged.at("/metadata/resourceVersion"));
            Answer applies = send("PATCH", "/two?fieldManager=test", manifest("two", spec))
                    .succeeded();
            assertThat(applies.json().path("spec")).isEqualTo(created.json().path("spec"));
            return created.json();
        }

        /** Expects {@code somethingNew} to be dropped, told of, and refused where nothing unknown may come. */
        void drops(String spec, String parent) {
            Answer created = send("POST", "?dryRun=All", manifest("bad", spec)).succeeded();
            assertThat(created.json().at(parent).isObject()).isTrue();
            assertThat(created.json().at(parent).has("somethingNew")).isFalse();
            assertThat(created.header("warning")).contains("unknown field").contains("somethingNew");
            Answer refused = send("POST", "?fieldValidation=Strict", manifest("bad", spec));
            assertThat(refused.code()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.at("/message")).contains("somethingNew");
        }

        void refuses(String spec, String field, String words) {
            for (String query : List.of("", "?dryRun=All")) {
                Answer refused = send("POST", query, manifest("bad", spec));
                assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
                assertThat(causes(refused)).containsKey(field);
                assertThat(causes(refused).get(field)).contains(words);
            }
        }

        private String manifest(String name, String spec) {
            return head + name + "}\nspec:\n" + spec.indent(2);
        }

        private Answer send(String method, String suffix, String manifest) {
            return api.send(
                    method,
                    path + suffix,
                    ApiClient.bytes(manifest),
                    "Content-Type",
                    method.equals("PATCH") ? "application/apply-patch+yaml" : YAML);
        }
    }

    /** Installs what another test may have installed. */
    private JsonNode install(PublishedDefinition definition) {
        if (api.get(DEFINITIONS + definition.metadataName()).code() == 404) {
            api.send("POST", DEFINITIONS, definition.yaml(), "Content-Type", YAML)
                    .succeeded();
        }
        return Awaitility.await(definition.metadataName())
                .pollInterval(Duration.ofMillis(20))
                .atMost(TIMEOUT)
                .until(
                        () -> api.get(DEFINITIONS + definition.metadataName())
                                .succeeded()
                                .json(),
                        crd -> "True".equals(conditions(crd).get("Established")));
    }

    private static Map<String, String> conditions(JsonNode crd) {
        var conditions = new HashMap<String, String>();
        crd.at("/status/conditions")
                .forEach(each -> conditions.put(
                        each.path("type").asText(), each.path("status").asText()));
        return conditions;
    }

    private static Map<String, String> causes(Answer refused) {
        var causes = new LinkedHashMap<String, String>();
        StreamSupport.stream(refused.json().at("/details/causes").spliterator(), false)
                .forEach(cause -> causes.put(
                        cause.path("field").asText(), cause.path("message").asText()));
        return causes;
    }
}
