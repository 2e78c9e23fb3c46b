package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Kubectl;
import io.keelson.testing.Kubectl.Result;
import io.keelson.testing.Kubectl.Running;
import io.keelson.testing.TestTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The main things that people do with kubectl, with each version of it that is at hand. */
class KubectlVersionsIT extends ClientFixture {
    private static final String MANIFEST = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings, labels: {app: web}}
            data: {mode: fast}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {app: web}}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: "example.com/web:1"}]}
            """;

    static List<Path> kubectls() {
        return TestTools.kubectls();
    }

    @ParameterizedTest
    @MethodSource("kubectls")
    void does_the_daily_work(Path program) throws IOException {
        Kubectl kubectl = kubectl(program);
        assertThat(apply(kubectl, MANIFEST)).contains("configmap/settings created", "deployment.apps/web created");
        assertThat(apply(kubectl, MANIFEST)).contains("configmap/settings unchanged", "deployment.apps/web unchanged");
        assertThat(apply(kubectl, MANIFEST.replace("web:1", "web:2")))
                .contains("configmap/settings unchanged", "deployment.apps/web configured");
        assertThat(apply(kubectl, MANIFEST.replace("web:1", "web:3"), "--server-side", "--force-conflicts"))
                .contains("configmap/settings serverside-applied", "deployment.apps/web serverside-applied");
        assertThat(call(kubectl, "get", "deployments,configmaps"))
                .containsPattern("NAME +READY +UP-TO-DATE +AVAILABLE +AGE\ndeployment.apps/web +0/2 +0 +0 +")
                .containsPattern("NAME +DATA +AGE\nconfigmap/settings +1 +");
        assertThat(call(kubectl, "get", "all", "-l", "app=web", "-o", "name")).isEqualTo("deployment.apps/web\n");
        assertThat(call(kubectl, "explain", "deployment.spec.replicas")).contains("FIELD", "replicas", "<integer>");

        String read = call(kubectl, "get", "cm", "settings", "-o", "json");
        call(kubectl, "label", "cm", "settings", "tier=front");
        Result outdated = kubectl.runWithInput(read, "-n", namespace(), "replace", "-f", "-");
        assertThat(outdated.exitCode()).isEqualTo(1);
        assertThat(outdated.stderr()).contains("the object has been modified; please apply your changes to the latest");
        assertThat(call(kubectl, "patch", "cm", "settings", "--type=merge", "-p", "{\"data\":{\"mode\":\"slow\"}}"))
                .contains("configmap/settings patched");
        assertThat(call(kubectl, "scale", "deployment", "web", "--replicas=3")).contains("deployment.apps/web scaled");

        try (Running watch =
                kubectl.start("-n", namespace(), "get", "cm", "settings", "-w", "-o", "jsonpath={.data}")) {
            awaitOutput(watch, "slow");
            call(kubectl, "patch", "cm", "settings", "--type=merge", "-p", "{\"data\":{\"mode\":\"seen\"}}");
            awaitOutput(watch, "seen");
        }
        assertThat(call(kubectl, "delete", "deployment/web", "configmap/settings"))
                .contains("deployment.apps \"web\" deleted", "configmap \"settings\" deleted");
        assertThat(call(kubectl, "get", "deployments,configmaps", "-o", "name")).isEmpty();
    }

    @Test
    void each_waits_for_a_rollout_over_a_restart() throws IOException {
        List<Running> waiting = new ArrayList<>();
        try {
            for (Path program : kubectls()) {
                Kubectl kubectl = kubectl(program);
                call(kubectl, "create", "deployment", name(program), "--image=example.com/web:1");
                waiting.add(kubectl.start("-n", namespace(), "rollout", "status", "deployment", name(program)));
            }
            waiting.forEach(running -> awaitOutput(running, "Waiting for deployment"));
            crash();
            for (Path program : kubectls()) {
                call(kubectl(program), patchOfStatus(name(program)));
            }
            for (Running running : waiting) {
                assertThat(running.await().succeeded().stdout()).contains("successfully rolled out");
            }
        } finally {
            waiting.forEach(Running::close);
        }
    }

    private static String[] patchOfStatus(String deployment) {
        return new String[] {
            "patch",
            "deployment",
            deployment,
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\":{\"observedGeneration\":1,\"replicas\":1,\"updatedReplicas\":1,"
                    + "\"readyReplicas\":1,\"availableReplicas\":1}}"
        };
    }

    private Kubectl kubectl(Path program) throws IOException {
        return new Kubectl(program, kubeconfig(), Files.createDirectories(folder().resolve(name(program))));
    }

    private static String name(Path program) {
        return "kubectl-" + program.getFileName();
    }

    private String call(Kubectl kubectl, String... arguments) {
        List<String> all = new ArrayList<>(List.of("-n", namespace()));
        all.addAll(List.of(arguments));
        return kubectl.call(all.toArray(String[]::new));
    }

    private String apply(Kubectl kubectl, String manifest, String... options) {
        List<String> all = new ArrayList<>(List.of("-n", namespace(), "apply", "-f", "-"));
        all.addAll(List.of(options));
        return kubectl.runWithInput(manifest, all.toArray(String[]::new))
                .succeeded()
                .stdout();
    }

    private static void awaitOutput(Running running, String text) {
        Awaitility.await("kubectl prints " + text)
                .atMost(TIMEOUT)
                .until(() -> running.stdout().contains(text));
    }
}
