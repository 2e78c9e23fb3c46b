package io.keelson.kubernetes;

import static io.keelson.kubernetes.Manifests.at;
import static io.keelson.kubernetes.Manifests.list;
import static io.keelson.kubernetes.Manifests.map;
import static io.keelson.kubernetes.Manifests.probes;
import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.server.KeelsonConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestsTest {
    private static final String BASE = "base";
    private static final String ETCD = "overlays/etcd";

    @Test
    void base_is_one_server_with_a_volume() {
        Manifests base = Manifests.build(BASE);

        assertThat(base.kindsAndNames())
                .containsExactly(
                        "Deployment/keelson",
                        "NetworkPolicy/keelson",
                        "PersistentVolumeClaim/keelson-data",
                        "Service/keelson",
                        "ServiceAccount/keelson");
        assertThat(at(base.object("Deployment", "keelson"), "spec", "replicas")).isEqualTo(1);
        assertThat(at(base.object("Deployment", "keelson"), "spec", "strategy", "type"))
                .isEqualTo("Recreate");
        assertThat(environment(base.server()))
                .containsEntry("KEELSON_STORAGE_TYPE", "embedded")
                .containsEntry("KEELSON_STORAGE_PATH", mountPathOf(base.server(), "data"));
    }

    @Test
    void etcd_overlay_has_three_members_and_a_server_without_a_volume_of_its_own() {
        Manifests overlay = Manifests.build(ETCD);

        assertThat(overlay.kindsAndNames())
                .containsExactly(
                        "Deployment/keelson",
                        "NetworkPolicy/etcd",
                        "NetworkPolicy/keelson",
                        "PodDisruptionBudget/etcd",
                        "Service/etcd",
                        "Service/keelson",
                        "ServiceAccount/keelson",
                        "StatefulSet/etcd");
        Map<?, ?> deployment = overlay.object("Deployment", "keelson");
        assertThat(at(deployment, "spec", "replicas")).isEqualTo(2);
        assertThat(at(deployment, "spec", "strategy", "type")).isEqualTo("RollingUpdate");
        assertThat(list(overlay.podSpec("Deployment", "keelson"), "volumes"))
                .extracting(volume -> at(volume, "name"))
                .containsExactly("tmp");
        assertThat(environment(overlay.server()))
                .containsEntry("KEELSON_STORAGE_TYPE", "etcd3")
                .containsEntry("KEELSON_STORAGE_ETCD_ENDPOINTS", etcdEndpoints(overlay))
                .doesNotContainKey("KEELSON_STORAGE_PATH");
    }

    @ParameterizedTest
    @ValueSource(strings = {BASE, ETCD})
    void every_variable_is_a_setting(String kustomization) {
        assertThat(environment(Manifests.build(kustomization).server()).keySet())
                .allMatch(ManifestsTest::isSetting);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
    void every_variable_of_an_image_is_a_setting(String dockerfile) throws IOException {
        assertThat(variables(dockerfile)).isNotEmpty().allMatch(ManifestsTest::isSetting);
    }

    @Test
    void a_variable_that_is_no_setting_is_told_apart() {
        assertThat(Stream.of("KEELSON_HOST", "KEELSON_STORAGE_ETCD_CA_FILE", "KEELSON_WATCH_CACHE_SIZES_PODS"))
                .allMatch(ManifestsTest::isSetting);
        assertThat(Stream.of(
                        "KEELSON_HOSTS", "KEELSON_STORAGE", "KEELSON_STORAGE_ETCD_CA", "KEELSON_WATCH_CACHE_SIZES"))
                .noneMatch(ManifestsTest::isSetting);
    }

    @ParameterizedTest
    @ValueSource(strings = {BASE, ETCD})
    void every_port_is_the_one_that_the_server_listens_on(String kustomization) {
        Manifests manifests = Manifests.build(kustomization);
        Map<?, ?> server = manifests.server();
        Object port = at(list(server, "ports").getFirst(), "containerPort");

        assertThat(environment(server)).containsEntry("KEELSON_PORT", String.valueOf(port));
        assertThat(list(server, "ports")).hasSize(1);
        Map<?, ?> servicePort = (Map<?, ?>)
                list(manifests.object("Service", "keelson"), "spec", "ports").getFirst();
        assertThat(servicePort.get("port")).isEqualTo(port);
        Object name = at(list(server, "ports").getFirst(), "name");
        assertThat(servicePort.get("targetPort")).isEqualTo(name);
        assertThat(probes(server))
                .allSatisfy(probe -> assertThat(at(probe, "httpGet", "port")).isEqualTo(name));
        assertThat(policyPorts(manifests, "keelson")).isEqualTo(List.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {BASE, ETCD})
    void every_pod_is_restricted(String kustomization) {
        Manifests manifests = Manifests.build(kustomization);
        List<String> kinds = kustomization.equals(BASE) ? List.of("Deployment") : List.of("Deployment", "StatefulSet");
        for (String kind : kinds) {
            String name = kind.equals("Deployment") ? "keelson" : "etcd";
            Map<?, ?> pod = manifests.podSpec(kind, name);
            assertThat(at(pod, "securityContext", "runAsNonRoot")).isEqualTo(true);
            assertThat(at(pod, "securityContext", "seccompProfile", "type")).isEqualTo("RuntimeDefault");
            assertThat(at(pod, "automountServiceAccountToken")).isEqualTo(false);
            Map<?, ?> context = map(manifests.container(kind, name), "securityContext");
            assertThat(context.get("allowPrivilegeEscalation")).isEqualTo(false);
            assertThat(context.get("readOnlyRootFilesystem")).isEqualTo(true);
            assertThat(list(context, "capabilities", "drop")).hasToString("[ALL]");
            assertThat(at(manifests.container(kind, name), "resources", "limits", "memory"))
                    .isNotNull();
        }
        assertThat(mountPathOf(manifests.server(), "tmp")).isEqualTo("/tmp");
    }

    @ParameterizedTest
    @ValueSource(strings = {BASE, ETCD})
    void only_labelled_pods_reach_the_server(String kustomization) {
        Manifests manifests = Manifests.build(kustomization);
        List<?> rules = list(manifests.object("NetworkPolicy", "keelson"), "spec", "ingress");

        assertThat(rules).hasSize(1);
        assertThat(list(rules.getFirst(), "from"))
                .hasToString("[{podSelector={matchLabels={keelson.io/client=true}}}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
    void image_runs_as_the_user_and_on_the_port_of_the_manifest(String dockerfile) throws IOException {
        Manifests base = Manifests.build(BASE);
        Map<?, ?> context = map(base.podSpec("Deployment", "keelson"), "securityContext");
        String file = dockerfile(dockerfile);

        assertThat(instruction(file, "USER"))
                .containsExactly(context.get("runAsUser") + ":" + context.get("runAsGroup"))
                .doesNotContain("0:0");
        assertThat(instruction(file, "EXPOSE"))
                .containsExactly(environment(base.server()).get("KEELSON_PORT"));
        assertThat(file).contains("-Xmx");
    }

    private static boolean isSetting(String variable) {
        return Settings.isKnown(variable, KeelsonConfig.class, "keelson");
    }

    private static Map<String, String> environment(Map<?, ?> container) {
        Map<String, String> environment = new TreeMap<>();
        for (Object variable : list(container, "env")) {
            environment.put((String) at(variable, "name"), (String) at(variable, "value"));
        }
        return environment;
    }

    private static String mountPathOf(Map<?, ?> container, String volume) {
        return list(container, "volumeMounts").stream()
                .filter(mount -> volume.equals(at(mount, "name")))
                .map(mount -> (String) at(mount, "mountPath"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Object> policyPorts(Manifests manifests, String name) {
        return list(manifests.object("NetworkPolicy", name), "spec", "ingress").stream()
                .flatMap(rule -> list(rule, "ports").stream())
                .map(port -> at(port, "port"))
                .toList();
    }

    /** The members' addresses as the StatefulSet and its Service make them. */
    private static String etcdEndpoints(Manifests overlay) {
        Map<?, ?> set = overlay.object("StatefulSet", "etcd");
        Object service = at(set, "spec", "serviceName");
        Object port = list(overlay.container("StatefulSet", "etcd"), "ports").stream()
                .filter(candidate -> "client".equals(at(candidate, "name")))
                .map(candidate -> at(candidate, "containerPort"))
                .findFirst()
                .orElseThrow();
        return Stream.iterate(0, ordinal -> ordinal < (Integer) at(set, "spec", "replicas"), ordinal -> ordinal + 1)
                .map(ordinal -> "http://etcd-%d.%s:%s".formatted(ordinal, service, port))
                .reduce((left, right) -> left + "," + right)
                .orElseThrow();
    }

    private static String dockerfile(String name) throws IOException {
        return Files.readString(Path.of("src/main/docker", name));
    }

    private static List<String> variables(String dockerfile) throws IOException {
        return Pattern.compile("\\b(KEELSON_[A-Z_]+)=")
                .matcher(dockerfile(dockerfile))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<String> instruction(String file, String name) {
        return Pattern.compile("(?m)^" + name + " (.*)$")
                .matcher(file)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
