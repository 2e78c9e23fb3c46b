package io.keelson.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The definitions of real projects are taken as they are, and their objects are judged by all of their schemas. */
@ExtendWith(MemoryServer.class)
class PublishedDefinitionsIT {
    private final ApiClient api;
    private final InstalledDefinitions definitions;

    PublishedDefinitionsIT(ApiClient api) {
        this.api = api;
        this.definitions = new InstalledDefinitions(api);
    }

    /** The server is shared by other test classes. */
    @AfterAll
    static void remove(ApiClient api) {
        new InstalledDefinitions(api).remove(PublishedDefinition.values());
    }

    @ParameterizedTest
    @EnumSource
    void isEstablishedAndServed(PublishedDefinition definition) {
        JsonNode installed = definitions.install(definition);

        assertThat(InstalledDefinitions.conditions(installed))
                .containsEntry("Established", "True")
                .doesNotContainKey("NonStructuralSchema");
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
        definitions.install(PublishedDefinition.FLINK_DEPLOYMENTS);
        var objects =
                new CustomObjects(api, "flink.apache.org/v1beta1", "FlinkDeployment", "flinkdeployments", namespace);
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
        definitions.install(PublishedDefinition.CAMEL_PIPES);
        var objects = new CustomObjects(api, "camel.apache.org/v1", "Pipe", "pipes", namespace);
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
        Answer scale = api.get(objects.path() + "/one/scale").succeeded();
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
        definitions.install(PublishedDefinition.PLATFORMS);
        var objects = new CustomObjects(api, "platform.example.com/v1", "Platform", "platforms", namespace);
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
        Answer changed = api.patch(objects.path() + "/one", "{\"spec\":{\"tier\":\"premium\"}}");
        assertThat(CustomObjects.causes(changed)).containsEntry("spec.tier", "Forbidden: tier cannot be changed");
        assertThat(api.get(objects.path() + "?fieldSelector=spec.tier%3Dstandard")
                        .succeeded()
                        .json()
                        .path("items"))
                .hasSize(2);
    }
}
