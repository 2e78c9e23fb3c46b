package io.keelson.definitions;

import static io.keelson.definitions.PublishedDefinition.STRIMZI_CONNECTS;
import static io.keelson.definitions.PublishedDefinition.STRIMZI_KAFKAS;
import static io.keelson.definitions.PublishedDefinition.STRIMZI_MIRROR_MAKERS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.Kubectl;
import io.keelson.testing.Kubectl.Result;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three large definitions of a real project, each with two versions and with rules in CEL: what the project's users write is
 * taken, by kubectl too, and what is wrong in it is refused where it is wrong.
 */
@ExtendWith(MemoryServer.class)
class StrimziDefinitionsIT {
    private static final PublishedDefinition[] LARGE = {STRIMZI_KAFKAS, STRIMZI_CONNECTS, STRIMZI_MIRROR_MAKERS};

    private static final String KAFKA = """
            kafka:
              version: 4.1.1
              listeners:
              - {name: plain, port: 9092, type: internal, tls: false}
              - name: external
                port: 9094
                type: nodeport
                tls: true
                authentication: {type: tls}
                configuration:
                  bootstrap: {nodePort: 32100}
                  brokers: [{broker: 0, nodePort: 32000, advertisedHost: kafka.example.com}]
              config: {offsets.topic.replication.factor: 3, auto.create.topics.enable: false}
              rack: {topologyKey: topology.kubernetes.io/zone}
              metricsConfig:
                type: jmxPrometheusExporter
                valueFrom: {configMapKeyRef: {name: metrics, key: kafka.yml}}
              template:
                pod:
                  affinity:
                    podAntiAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - labelSelector: {matchExpressions: [{key: app, operator: In, values: [kafka]}]}
                        topologyKey: kubernetes.io/hostname
                  volumes: [{name: plugins, configMap: {name: plugins, items: [{key: a, path: b, mode: 420}]}}]
            entityOperator:
              topicOperator: {watchedNamespace: topics, reconciliationIntervalMs: 60000}
              userOperator: {resources: {requests: {cpu: 100m, memory: 256Mi}, limits: {cpu: 1}}}
            cruiseControl: {brokerCapacity: {cpu: "2", overrides: [{brokers: [0], cpu: 2500m}]}}
            """;

    private static final String CONNECT = """
            replicas: 2
            bootstrapServers: kafka:9092
            groupId: connect
            configStorageTopic: configs
            statusStorageTopic: status
            offsetStorageTopic: offsets
            tls: {trustedCertificates: [{secretName: ca, pattern: "*.crt"}]}
            authentication: {type: scram-sha-512, username: connect, passwordSecret: {secretName: user, password: password}}
            config: {config.storage.replication.factor: -1}
            metricsConfig: {type: strimziMetricsReporter, values: {allowList: [".*"]}}
            build:
              output: {type: docker, image: "registry.example.com/connect:1"}
              plugins:
              - name: debezium
                artifacts: [{type: tgz, url: "https://repo.example.com/debezium.tar.gz", sha512sum: ab}]
            template: {connectContainer: {env: [{name: MODE, value: fast}]}}
            """;

    private static final String MIRROR_MAKER = """
            replicas: 1
            target:
              alias: east
              bootstrapServers: east:9092
              groupId: mirror
              configStorageTopic: configs
              statusStorageTopic: status
              offsetStorageTopic: offsets
            mirrors:
            - source: {alias: west, bootstrapServers: "west:9092"}
              sourceConnector: {tasksMax: 4, config: {sync.topic.acls.enabled: false, deep: {er: [1]}}, state: running}
              topicsPattern: "orders|payments"
            metricsConfig:
              type: jmxPrometheusExporter
              valueFrom: {configMapKeyRef: {name: metrics, key: mirror.yml}}
            """;

    private final ApiClient api;
    private final Kubectl kubectl;

    StrimziDefinitionsIT(ApiClient api, ServerProcess server, @TempDir Path home) {
        this.api = api;
        this.kubectl = new Kubectl(server.kubeconfig(), home);
    }

    @BeforeAll
    static void install(ApiClient api) {
        var definitions = new InstalledDefinitions(api);
        for (PublishedDefinition definition : LARGE) {
            definitions.install(definition);
        }
    }

    /** The server is shared by other test classes. */
    @AfterAll
    static void remove(ApiClient api) {
        new InstalledDefinitions(api).remove(LARGE);
    }

    @Test
    void judgesKafkas(MemoryServer.Namespace namespace) {
        var objects = objects("v1", "Kafka", "kafkas", namespace);
        JsonNode created = objects.lives(KAFKA, """
                kafka:
                  version: 4.2.0
                  listeners: [{name: plain, port: 9092, type: internal, tls: false}]
                """);
        assertThat(created.at("/spec/kafka/config"))
                .hasToString("{\"offsets.topic.replication.factor\":3,\"auto.create.topics.enable\":false}");
        assertThat(api.get(objects.path().replace("/v1/", "/v1beta2/") + "/two")
                        .succeeded()
                        .at("/spec/kafka/listeners/1/configuration/bootstrap/nodePort"))
                .isEqualTo("32100");

        objects.drops(
                KAFKA.replace("mode: 420", "mode: 420, somethingNew: 1"),
                "/spec/kafka/template/pod/volumes/0/configMap/items/0");
        objects.refuses(
                KAFKA.replace("mode: 420", "mode: rw"),
                "spec.kafka.template.pod.volumes[0].configMap.items[0].mode",
                "must be of type integer: \"string\"");
        objects.refuses(
                KAFKA.replace("type: nodeport", "type: carrier"),
                "spec.kafka.listeners[1].type",
                "Unsupported value: \"carrier\"");
        objects.refuses(
                KAFKA.replace("port: 9094", "port: 80"), "spec.kafka.listeners[1].port", "greater than or equal");
        objects.refuses(KAFKA.replace("name: plain, ", ""), "spec.kafka.listeners[0].name", "Required value");
        objects.refuses("entityOperator: {}", "spec.kafka", "Required value");
        objects.refuses(
                KAFKA.replace(
                        "type: jmxPrometheusExporter\n    valueFrom:", "type: jmxPrometheusExporter\n    values:"),
                "spec.kafka.metricsConfig",
                "valueFrom property is required");
        objects.refuses(
                KAFKA.replace("cruiseControl: {", "cruiseControl: {metricsConfig: {type: strimziMetricsReporter}, "),
                "spec.cruiseControl.metricsConfig",
                "value type not supported");
    }

    @Test
    void judgesConnects(MemoryServer.Namespace namespace) {
        var objects = objects("v1", "KafkaConnect", "kafkaconnects", namespace);
        objects.lives(CONNECT, CONNECT.replace("replicas: 2", "replicas: 3"));
        assertThat(api.get(objects.path() + "/one/scale").succeeded().at("/spec/replicas"))
                .isEqualTo("3");

        objects.drops(
                CONNECT.replace("sha512sum: ab", "sha512sum: ab, somethingNew: 1"),
                "/spec/build/plugins/0/artifacts/0");
        objects.refuses(
                CONNECT.replace("https://repo", "nowhere"), "spec.build.plugins[0].artifacts[0].url", "should match");
        objects.refuses(
                CONNECT.replace("type: tgz", "type: rar"),
                "spec.build.plugins[0].artifacts[0].type",
                "Unsupported value: \"rar\"");
        objects.refuses(
                CONNECT.replace("allowList: [\".*\"]", "allowList: [1]"),
                "spec.metricsConfig.values.allowList[0]",
                "must be of type string: \"integer\"");
        objects.refuses(
                CONNECT.replace("passwordSecret: {secretName: user, ", "passwordSecret: {"),
                "spec.authentication.passwordSecret.secretName",
                "Required value");
        objects.refuses(
                CONNECT.replace("strimziMetricsReporter", "jmxPrometheusExporter"),
                "spec.metricsConfig",
                "valueFrom property is required");
    }

    @Test
    void judgesMirrorMakers(MemoryServer.Namespace namespace) {
        var objects = objects("v1", "KafkaMirrorMaker2", "kafkamirrormaker2s", namespace);
        JsonNode created = objects.lives(MIRROR_MAKER, MIRROR_MAKER.replace("replicas: 1", "replicas: 2"));
        assertThat(created.at("/spec/mirrors/0/sourceConnector/config/deep")).hasToString("{\"er\":[1]}");

        objects.refuses(
                MIRROR_MAKER.replace("state: running", "state: walking"),
                "spec.mirrors[0].sourceConnector.state",
                "Unsupported value: \"walking\"");
        objects.refuses(
                MIRROR_MAKER.replace("alias: west", "alias: we st"), "spec.mirrors[0].source.alias", "should match");
        objects.refuses(MIRROR_MAKER.replace("alias: west, ", ""), "spec.mirrors[0].source.alias", "Required value");
        objects.refuses(
                MIRROR_MAKER.replace("tasksMax: 4", "tasksMax: many"),
                "spec.mirrors[0].sourceConnector.tasksMax",
                "must be of type integer: \"string\"");
        objects.refuses(
                MIRROR_MAKER.replace("valueFrom:", "values:"), "spec.metricsConfig", "valueFrom property is required");
    }

    /** By a client that is told to keep what it applied in an annotation, and by one that leaves merging to the server. */
    @Test
    void areAppliedByKubectl(MemoryServer.Namespace namespace) {
        for (PublishedDefinition definition : LARGE) {
            String yaml = new String(definition.yaml(), StandardCharsets.UTF_8);
            assertThat(apply(namespace, yaml, "--server-side").succeeded().stdout())
                    .isEqualTo("customresourcedefinition.apiextensions.k8s.io/" + definition.metadataName()
                            + " serverside-applied\n");
        }
        Result whole = apply(namespace, new String(STRIMZI_KAFKAS.yaml(), StandardCharsets.UTF_8));
        assertThat(whole.stderr()).contains("metadata.annotations: Too long: may not be more than 262144 bytes");

        String manifest = objects("v1", "Kafka", "kafkas", namespace).manifest("main", KAFKA)
                + "---\n"
                + objects("v1", "KafkaConnect", "kafkaconnects", namespace).manifest("main", CONNECT)
                + "---\n"
                + objects("v1", "KafkaMirrorMaker2", "kafkamirrormaker2s", namespace)
                        .manifest("main", MIRROR_MAKER);
        assertThat(apply(namespace, manifest).succeeded().stdout()).isEqualTo(each("created"));
        assertThat(apply(namespace, manifest).succeeded().stdout()).isEqualTo(each("unchanged"));
        String changed = manifest.replace("replicas: 2", "replicas: 4").replace("nodePort: 32000", "nodePort: 32001");
        assertThat(apply(namespace, changed).succeeded().stdout())
                .contains("main configured", "kafkamirrormaker2.kafka.strimzi.io/main unchanged");
        assertThat(apply(namespace, changed, "--server-side").succeeded().stdout())
                .isEqualTo(each("serverside-applied"));
        assertThat(kubectl.call("-n", namespace.name(), "get", "kc,kmm2"))
                .containsPattern("NAME +DESIRED REPLICAS +READY\nkafkaconnect.kafka.strimzi.io/main +4");
        assertThat(kubectl.call("explain", "kafka.spec.kafka.listeners.port", "--api-version=kafka.strimzi.io/v1"))
                .contains("FIELD", "port", "<integer>", "Port number used by the listener inside Kafka.");

        Result refused =
                apply(namespace, manifest.replace("port: 9094", "port: 80").replace("state: running", "state: 1"));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.stderr()).contains("spec.kafka.listeners[1].port", "spec.mirrors[0].sourceConnector.state");
    }

    private static String each(String word) {
        return "kafka.kafka.strimzi.io/main %1$s\nkafkaconnect.kafka.strimzi.io/main %1$s\nkafkamirrormaker2.kafka.strimzi.io/main %1$s\n"
                .formatted(word);
    }

    private Result apply(MemoryServer.Namespace namespace, String manifest, String... options) {
        String[] arguments = new String[5 + options.length];
        System.arraycopy(new String[] {"-n", namespace.name(), "apply", "-f", "-"}, 0, arguments, 0, 5);
        System.arraycopy(options, 0, arguments, 5, options.length);
        return kubectl.runWithInput(manifest, arguments);
    }

    private CustomObjects objects(String version, String kind, String plural, MemoryServer.Namespace namespace) {
        return new CustomObjects(api, "kafka.strimzi.io/" + version, kind, plural, namespace);
    }
}
