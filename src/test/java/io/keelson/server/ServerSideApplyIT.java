package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Kubectl.Result;
import io.keelson.testing.KubectlFixture;
import org.junit.jupiter.api.Test;

/** Server-side apply with the real kubectl(). */
class ServerSideApplyIT extends KubectlFixture {
    private static final String WEB = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
              labels: {app: web}
            spec:
              replicas: %d
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - name: main
                    image: example.com/web:1
            """;

    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: settings
            data:
              mode: %s
            """;

    @Test
    void stores_values_in_their_own_form_and_refuses_what_has_none() {
        String limits = WEB.formatted(1) + "        resources: {limits: {memory: %s}}\n";
        apply(limits.formatted("0.5Gi"), "--server-side").succeeded();
        String path =
                "jsonpath={.metadata.resourceVersion} {.spec.template.spec.containers[0].resources.limits.memory}";
        String stored = call("get", "deploy", "web", "-o", path);
        assertThat(stored).endsWith(" 512Mi");

        apply(limits.formatted("0.5Gi"), "--server-side").succeeded();
        assertThat(call("get", "deploy", "web", "-o", path)).isEqualTo(stored);
        Result refused = apply(limits.formatted("much"), "--server-side");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.stderr()).contains("quantities must match");
    }

    @Test
    void applies_and_applies_again_without_a_write() {
        assertThat(apply(WEB.formatted(2), "--server-side").succeeded().stdout())
                .contains("deployment.apps/web serverside-applied");
        String version = call("get", "deploy", "web", "-o", "jsonpath={.metadata.resourceVersion}");

        apply(WEB.formatted(2), "--server-side").succeeded();

        assertThat(call("get", "deploy", "web", "-o", "jsonpath={.metadata.resourceVersion}"))
                .isEqualTo(version);
        Result diff = kubectl().runWithInput(WEB.formatted(2), "-n", namespace(), "diff", "--server-side", "-f", "-");
        assertThat(diff.succeeded().stdout()).isEmpty();
    }

    @Test
    void tells_of_conflicts_and_overrides_them_on_demand() {
        apply(WEB.formatted(2), "--server-side").succeeded();
        call("scale", "deploy", "web", "--replicas=5");

        Result conflict = apply(WEB.formatted(2), "--server-side");
        assertThat(conflict.exitCode()).isNotZero();
        assertThat(conflict.stderr())
                .contains("Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\"")
                .contains(".spec.replicas");

        apply(WEB.formatted(2), "--server-side", "--force-conflicts").succeeded();
        assertThat(call("get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
    }

    @Test
    void shows_managed_fields_on_demand_only() {
        apply(SETTINGS.formatted("fast"), "--server-side", "--field-manager=one")
                .succeeded();

        assertThat(call("get", "cm", "settings", "-o", "yaml")).doesNotContain("managedFields");
        assertThat(call("get", "cm", "settings", "-o", "yaml", "--show-managed-fields"))
                .contains("managedFields", "manager: one", "operation: Apply", "f:mode: {}");
    }

    @Test
    void takes_over_from_client_side_apply() {
        apply(SETTINGS.formatted("fast")).succeeded();

        apply(SETTINGS.formatted("slow"), "--server-side").succeeded();

        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data.mode}")).isEqualTo("slow");
        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.metadata.managedFields[*].operation}"))
                .doesNotContain("Update");
    }

    @Test
    void takes_out_what_the_manifest_no_longer_has() {
        apply(SETTINGS.formatted("fast") + "  old: value\n", "--server-side").succeeded();

        apply(SETTINGS.formatted("fast"), "--server-side").succeeded();

        assertThat(call("get", "cm", "settings", "-o", "jsonpath={.data}")).isEqualTo("{\"mode\":\"fast\"}");
    }

    @Test
    void tries_without_writing() {
        assertThat(apply(SETTINGS.formatted("fast"), "--server-side", "--dry-run=server")
                        .succeeded()
                        .stdout())
                .contains("serverside-applied (server dry run)");
        assertThat(call("get", "cm", "--no-headers", "--ignore-not-found", "settings"))
                .isEmpty();
    }
}
