package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Kubectl.Result;
import io.keelson.testing.Kubectl.Running;
import io.keelson.testing.KubectlFixture;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do with kubectl, done with the real one, each test in a namespace of its own. */
class KubectlIT extends KubectlFixture {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String SEVERAL_KINDS = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: settings
              labels: {app: web}
            data:
              mode: fast
              text: |
                one
                two
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: password}
            stringData: {value: secret}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec:
              selector: {app: web}
              ports: [{port: 80}]
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
              labels: {app: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - name: main
                    image: example.com/web:1
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: one, labels: {app: web}}
            spec:
              nodeName: node-1
              containers:
              - name: main
                image: example.com/web:1
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: two}
            spec:
              containers:
              - name: main
                image: example.com/web:1
            """;

    // ---- creating

    @Test
    void creates_several_kinds_from_one_file() {
        assertThat(create(SEVERAL_KINDS))
                .contains(
                        "configmap/settings created",
                        "secret/password created",
                        "service/web created",
                        "deployment.apps/web created",
                        "pod/one created",
                        "pod/two created");
        assertThat(call("get", "configmap", "settings", "-o", "jsonpath={.data.text}"))
                .isEqualTo("one\ntwo\n");
        assertThat(call("get", "secret", "password", "-o", "jsonpath={.data.value}"))
                .isEqualTo("c2VjcmV0");
        assertThat(call("get", "service", "web", "-o", "jsonpath={.spec.ports[0].protocol}"))
                .isEqualTo("TCP");
        Result again = kubectl().runWithInput(SEVERAL_KINDS, "-n", namespace(), "create", "-f", "-");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.stderr()).contains("configmaps \"settings\" already exists");
    }

    @Test
    void creates_by_command() {
        String other = namespace() + "-2";
        assertThat(kubectl().call("create", "namespace", other)).contains("namespace/" + other + " created");
        assertThat(kubectl().call("-n", other, "create", "configmap", "a", "--from-literal=x=1"))
                .contains("configmap/a created");
        kubectl().call("-n", other, "create", "secret", "generic", "s", "--from-literal=p=q");
        kubectl().call("-n", other, "create", "serviceaccount", "robot");
        kubectl().call("-n", other, "create", "deployment", "web", "--image=example.com/web:1", "--replicas=2");
        kubectl().call("-n", other, "create", "job", "once", "--image=example.com/job:1");
        kubectl()
                .call("-n", other, "create", "cronjob", "often", "--image=example.com/job:1", "--schedule=*/5 * * * *");
        kubectl().call("-n", other, "create", "service", "clusterip", "web", "--tcp=80:8080");
        kubectl().call("-n", other, "run", "pod", "--image=example.com/web:1");
        assertThat(kubectl().call("-n", other, "get", "cm/a", "deploy/web", "job/once", "cj/often", "-o", "name"))
                .contains("configmap/a", "deployment.apps/web", "job.batch/once", "cronjob.batch/often");
        assertThat(kubectl().call("-n", other, "get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
    }

    @Test
    void refuses_an_object_that_breaks_the_rules_with_the_reason() {
        Result result = kubectl().runWithInput(configMap("name: Not_A_Name"), "-n", namespace(), "create", "-f", "-");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.stderr()).contains("The ConfigMap \"Not_A_Name\" is invalid: metadata.name: Invalid value");
    }

    // ---- reading

    @Test
    void gets_tables_with_the_columns_of_each_kind() {
        create(SEVERAL_KINDS);
        assertThat(call("get", "configmaps")).containsPattern("NAME +DATA +AGE\nsettings +2 +\\d+s\n");
        assertThat(call("get", "deployments"))
                .containsPattern("NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0/2 +0 +0 +\\d+s\n");
        assertThat(call("get", "deployments", "-o", "wide"))
                .containsPattern("CONTAINERS +IMAGES +SELECTOR\nweb .* main +example.com/web:1 +app=web\n");
        assertThat(call("get", "pods,services"))
                .containsPattern("NAME +READY +STATUS +RESTARTS +AGE\npod/one +0/1 +Pending +0 +\\d+s\n")
                .containsPattern("NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\\(S\\) +AGE\nservice/web +ClusterIP");
        assertThat(kubectl().call("get", "namespaces")).containsPattern("NAME +STATUS +AGE\ndefault +Active");
        assertThat(call("get", "pods", "--show-labels")).containsPattern("one .* app=web\n");
        Result none = kubectl().run("-n", namespace(), "get", "jobs");
        assertThat(none.stderr()).contains("No resources found in " + namespace() + " namespace.");
    }

    @Test
    void gets_objects_in_every_output_form() {
        create(SEVERAL_KINDS);
        assertThat(call("get", "cm", "settings", "-o", "yaml"))
                .contains("apiVersion: v1\n", "kind: ConfigMap\n", "  mode: fast\n", "  namespace: " + namespace());
        assertThat(call("get", "cm", "settings", "-o", "json")).contains("\"mode\": \"fast\"");
        assertThat(call("get", "pods", "-o", "name")).isEqualTo("pod/one\npod/two\n");
        assertThat(call("get", "pods", "-o", "jsonpath={.items[*].metadata.name}"))
                .isEqualTo("one two");
        assertThat(call("get", "pods", "-o", "custom-columns=N:.metadata.name,I:.spec.containers[0].image"))
                .containsPattern("N +I\none +example.com/web:1\n");
        Result missing = kubectl().run("-n", namespace(), "get", "pod", "missing");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.stderr()).contains("Error from server (NotFound): pods \"missing\" not found");
    }

    @Test
    void gets_what_selectors_choose() {
        create(SEVERAL_KINDS);
        assertThat(call("get", "pods", "-l", "app=web", "-o", "name")).isEqualTo("pod/one\n");
        assertThat(call("get", "pods", "-l", "app notin (web)", "-o", "name")).isEqualTo("pod/two\n");
        assertThat(call("get", "pods", "--field-selector", "spec.nodeName=node-1", "-o", "name"))
                .isEqualTo("pod/one\n");
        assertThat(call("get", "pods", "--field-selector", "status.phase=Pending,metadata.name!=one", "-o", "name"))
                .isEqualTo("pod/two\n");
        assertThat(kubectl().call("get", "pods", "-A", "-l", "app=web")).containsPattern(namespace() + " +one ");
        assertThat(call("get", "all", "-o", "name")).contains("pod/one", "service/web", "deployment.apps/web");
    }

    @Test
    void pages_through_long_lists() {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            many.append(configMap("name: item-" + i)).append("---\n");
        }
        create(many.toString());
        assertThat(call("get", "cm", "--chunk-size=5", "-o", "name").lines()).hasSize(12);
    }

    @Test
    void watches_changes() {
        create(SEVERAL_KINDS);
        try (Running table = kubectl().start("-n", namespace(), "get", "cm", "-w");
                Running names = kubectl().start("-n", namespace(), "get", "cm", "-o", "name", "--watch-only")) {
            awaitOutput(table, "settings");
            // A watch that shows only changes prints nothing at its start: changes go on until it shows one.
            Awaitility.await("a change is shown").atMost(TIMEOUT).untilAsserted(() -> {
                call("annotate", "--overwrite", "cm", "settings", "at=" + System.nanoTime());
                assertThat(names.stdout()).contains("configmap/settings");
            });
            create(configMap("name: later"));
            awaitOutput(table, "later");
            awaitOutput(names, "configmap/later");
            assertThat(table.stdout()).containsOnlyOnce("NAME");
        }
    }

    @Test
    void describes_objects() {
        create(SEVERAL_KINDS);
        assertThat(call("describe", "cm", "settings")).contains("Name:         settings", "mode:\n----\nfast");
        assertThat(call("describe", "deployment", "web")).contains("Selector:", "2 desired", "example.com/web:1");
        assertThat(call("describe", "pod", "one")).contains("Node:", "node-1", "Status:", "Pending");
        assertThat(kubectl().call("describe", "namespace", namespace())).contains("Status:", "Active");
    }

    // ---- changing

    @Test
    void labels_and_annotates() {
        create(SEVERAL_KINDS);
        call("label", "pod", "one", "tier=front", "app-");
        call("annotate", "pod", "one", "note=some text");
        assertThat(call("get", "pod", "one", "-o", "jsonpath={.metadata.labels} {.metadata.annotations.note}"))
                .isEqualTo("{\"tier\":\"front\"} some text");
        Result refused = kubectl().run("-n", namespace(), "label", "pod", "one", "tier=back");
        assertThat(refused.stderr()).contains("already has a value (front)");
        call("label", "--overwrite", "pod", "one", "tier=back");
        assertThat(call("get", "pods", "-l", "tier=back", "-o", "name")).isEqualTo("pod/one\n");
    }

    @Test
    void patches_by_merge_and_by_operations() {
        create(SEVERAL_KINDS);
        call("patch", "cm", "settings", "--type=merge", "-p", "{\"data\":{\"mode\":\"slow\",\"text\":null}}");
        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data}")).isEqualTo("{\"mode\":\"slow\"}");
        call(
                "patch",
                "cm",
                "settings",
                "--type=json",
                "-p",
                "[{\"op\":\"test\",\"path\":\"/data/mode\",\"value\":\"slow\"},"
                        + "{\"op\":\"add\",\"path\":\"/data/new\",\"value\":\"1\"}]");
        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data.new}")).isEqualTo("1");
        Result unchanged = kubectl()
                .run(
                        "-n",
                        namespace(),
                        "patch",
                        "cm",
                        "settings",
                        "--type=merge",
                        "-p",
                        "{\"data\":{\"mode\":\"slow\"}}");
        assertThat(unchanged.stdout()).contains("patched (no change)");
        assertThat(call("patch", "deploy", "web", "--subresource=status", "--type=merge", "-p", readyReplicas(2)))
                .contains("patched");
        assertThat(call("get", "deploy", "web")).containsPattern("web +2/2 ");
    }

    @Test
    void applies_what_changed_and_says_when_nothing_did() {
        // What a secret takes as text is not shown again, so kubectl would send it each time.
        String manifest = SEVERAL_KINDS.replace("stringData: {value: secret}", "data: {value: c2VjcmV0}");
        applied(manifest);
        assertThat(applied(manifest)).hasSize(6).allMatch(line -> line.endsWith("unchanged"));
        call("set", "env", "deployment/web", "ADDED=1");
        call("patch", "deployment", "web", "-p", sidecar());
        String changed = manifest.replace("mode: fast", "more: slow").replace("web:1", "web:2");

        assertThat(applied(changed)).contains("configmap/settings configured", "deployment.apps/web configured");

        String version = "jsonpath={.metadata.resourceVersion}";
        String before = call("get", "deploy", "web", "-o", version);
        applied(changed);
        assertThat(call("get", "deploy", "web", "-o", version)).isEqualTo(before);
        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data.mode}{.data.more}"))
                .isEqualTo("slow");
        assertThat(call(
                        "get",
                        "deploy",
                        "web",
                        "-o",
                        "jsonpath={range .spec.template.spec.containers[*]}" + "{.name}={.image} {.env[*].name};{end}"))
                .isEqualTo("side=example.com/side:1 ;main=example.com/web:2 ADDED;");
        assertThat(kubectl()
                        .runWithInput(changed, "-n", namespace(), "diff", "-f", "-")
                        .exitCode())
                .isZero();
    }

    private List<String> applied(String manifest) {
        return apply(manifest).succeeded().stdout().lines().toList();
    }

    private static String sidecar() {
        return "{\"spec\":{\"template\":{\"spec\":{\"containers\":"
                + "[{\"name\":\"side\",\"image\":\"example.com/side:1\"}]}}}}";
    }

    @Test
    void replaces_what_was_read_and_refuses_what_is_outdated() {
        create(SEVERAL_KINDS);
        String read = call("get", "cm", "settings", "-o", "json");
        String changed = read.replace("\"fast\"", "\"replaced\"");
        kubectl().runWithInput(changed, "-n", namespace(), "replace", "-f", "-").succeeded();
        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data.mode}")).isEqualTo("replaced");
        Result outdated = kubectl().runWithInput(read, "-n", namespace(), "replace", "-f", "-");
        assertThat(outdated.exitCode()).isEqualTo(1);
        assertThat(outdated.stderr()).contains("the object has been modified; please apply your changes to the latest");
    }

    @Test
    void scales() {
        create(SEVERAL_KINDS);
        assertThat(call("scale", "deployment", "web", "--replicas=5")).contains("deployment.apps/web scaled");
        assertThat(call("get", "deploy", "web", "-o", "jsonpath={.spec.replicas} {.metadata.generation}"))
                .isEqualTo("5 2");
        Result refused =
                kubectl().run("-n", namespace(), "scale", "deployment", "web", "--current-replicas=2", "--replicas=1");
        assertThat(refused.stderr()).contains("Expected replicas to be 2, was 5");
    }

    // ---- deleting and waiting

    @Test
    void deletes_by_name_and_by_label() {
        create(SEVERAL_KINDS);
        assertThat(call("delete", "cm", "settings")).contains("configmap \"settings\" deleted");
        assertThat(call("delete", "pods", "-l", "app=web", "--force", "--grace-period=0"))
                .contains("pod \"one\" force deleted");
        assertThat(call("get", "pods", "-o", "name")).isEqualTo("pod/two\n");
        call("delete", "services,deployments,secrets", "--all");
        assertThat(call("get", "services,deployments,secrets", "-o", "name")).isEmpty();
        assertThat(call("delete", "cm", "settings", "--ignore-not-found")).isEmpty();
    }

    @Test
    void a_finalizer_holds_a_deletion_until_it_is_taken_away() {
        create(configMap("name: held, finalizers: [example.com/hold]"));
        try (Running delete = kubectl().start("-n", namespace(), "delete", "cm", "held")) {
            awaitOutput(delete, "configmap \"held\" deleted");
            Awaitility.await("being deleted")
                    .atMost(TIMEOUT)
                    .until(() -> !call("get", "cm", "held", "-o", "jsonpath={.metadata.deletionTimestamp}")
                            .isEmpty());
            assertThat(delete.isAlive()).as("kubectl waits for the end").isTrue();
            call("patch", "cm", "held", "--type=json", "-p", "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");
            assertThat(delete.await().exitCode()).isZero();
        }
        assertThat(kubectl().run("-n", namespace(), "get", "cm", "held").exitCode())
                .isEqualTo(1);
    }

    @Test
    void waits_for_conditions_values_and_deletions() {
        create(SEVERAL_KINDS);
        try (Running available = kubectl()
                        .start("-n", namespace(), "wait", "--for=condition=Available", "deploy/web", "--timeout=30s");
                Running value = kubectl()
                        .start(
                                "-n",
                                namespace(),
                                "wait",
                                "--for=jsonpath={.data.mode}=slow",
                                "cm/settings",
                                "--timeout=30s");
                Running gone =
                        kubectl().start("-n", namespace(), "wait", "--for=delete", "cm/settings", "--timeout=30s")) {
            call(
                    "patch",
                    "deploy",
                    "web",
                    "--subresource=status",
                    "--type=merge",
                    "-p",
                    "{\"status\":{\"conditions\":[{\"type\":\"Available\",\"status\":\"True\"}]}}");
            assertThat(available.await().succeeded().stdout()).contains("deployment.apps/web condition met");
            call("patch", "cm", "settings", "--type=merge", "-p", "{\"data\":{\"mode\":\"slow\"}}");
            assertThat(value.await().succeeded().stdout()).contains("configmap/settings condition met");
            call("delete", "cm", "settings");
            gone.await().succeeded();
        }
    }

    // ---- the API itself

    @Test
    void lists_what_there_is() {
        assertThat(kubectl().call("api-versions"))
                .contains("apps/v1\n", "batch/v1\n", "coordination.k8s.io/v1\n", "\nv1\n");
        assertThat(kubectl().call("api-resources"))
                .containsPattern("configmaps +cm +v1 +true +ConfigMap\n")
                .containsPattern("deployments +deploy +apps/v1 +true +Deployment\n")
                .containsPattern("nodes +no +v1 +false +Node\n");
        assertThat(kubectl().call("api-resources", "--namespaced=false", "-o", "name"))
                .contains("namespaces\n")
                .doesNotContain("configmaps");
        assertThat(kubectl().call("version")).containsPattern("Server Version: v1\\.\\d+");
    }

    @Test
    void asks_what_it_may_do_and_who_it_is() {
        assertThat(kubectl().call("auth", "can-i", "create", "deployments.apps"))
                .isEqualTo("yes\n");
        assertThat(kubectl().call("auth", "can-i", "--list")).containsPattern("\\*\\.\\* +\\[] +\\[] +\\[\\*]");
        assertThat(kubectl().call("auth", "whoami")).contains("system:anonymous");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"configmap.data", "deployment.spec.template.spec.containers", "pod.metadata.labels", "cronjobs"})
    void explains_kinds_and_fields(String what) {
        assertThat(kubectl().call("explain", what)).contains("KIND:", "VERSION:", "DESCRIPTION:");
    }

    private String create(String yaml) {
        return kubectl()
                .runWithInput(yaml, "-n", namespace(), "create", "-f", "-")
                .succeeded()
                .stdout();
    }

    /** kubectl takes a document that begins with a brace for JSON, so this one does not. */
    private static String configMap(String metadata) {
        return "apiVersion: v1\nkind: ConfigMap\nmetadata: {" + metadata + "}\n";
    }

    private static String readyReplicas(int count) {
        return "{\"status\":{\"replicas\":%1$d,\"readyReplicas\":%1$d,\"availableReplicas\":%1$d}}".formatted(count);
    }

    private static void awaitOutput(Running running, String text) {
        Awaitility.await("kubectl prints " + text)
                .atMost(TIMEOUT)
                .until(() -> running.stdout().contains(text));
    }
}
