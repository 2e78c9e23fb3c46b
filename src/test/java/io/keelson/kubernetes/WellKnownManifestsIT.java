package io.keelson.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Kubectl.Result;
import io.keelson.testing.KubectlFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests in the shapes that real projects publish go through the life that kubectl gives them. */
class WellKnownManifestsIT extends KubectlFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "web-shop",
                "helm-release",
                "monitoring-rbac",
                "ingress-tls",
                "stateful-database",
                "cron-jobs",
                "network-policies",
                "autoscaling",
                "disruption-budgets",
                "priority-classes"
            })
    void isAppliedReappliedComparedAndDeleted(String name) throws IOException {
        String file = copy(name).toString();

        Result applied = kubectl().run("apply", "-f", file).succeeded();
        assertThat(applied.stdout().lines()).isNotEmpty().allMatch(line -> line.endsWith(" created"));
        assertThat(applied.stderr()).isEmpty();
        String created = versions(file);
        // kubectl itself sends what is replaced as a whole each time: a budget's selector, claim templates without
        // defaults.
        assertThat(kubectl().call("apply", "-f", file).lines())
                .allMatch(line -> line.endsWith(" unchanged")
                        || line.startsWith("poddisruptionbudget.policy/")
                        || line.startsWith("statefulset.apps/"));
        assertThat(versions(file)).isEqualTo(created);
        assertThat(kubectl().run("diff", "-f", file).succeeded().stdout()).isEmpty();

        assertThat(kubectl().call("apply", "--server-side", "-f", file).lines())
                .allMatch(line -> line.endsWith(" serverside-applied"));
        String again = versions(file);
        assertThat(kubectl().call("apply", "--server-side", "-f", file).lines())
                .allMatch(line -> line.endsWith(" serverside-applied"));
        assertThat(versions(file)).isEqualTo(again);
        assertThat(again.lines()).hasSameSizeAs(created.lines().toList());
        assertThat(kubectl()
                        .run("diff", "--server-side", "-f", file)
                        .succeeded()
                        .stdout())
                .isEmpty();

        // The namespace goes first, and may have taken its objects with it before kubectl asks for them.
        kubectl().call("delete", "-f", file, "--ignore-not-found", "--timeout=30s");
        assertThat(kubectl().run("get", "-f", file).exitCode()).isNotZero();
    }

    private String versions(String file) {
        return kubectl()
                .call(
                        "get",
                        "-f",
                        file,
                        "-o",
                        "jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{\"\\n\"}{end}");
    }

    private Path copy(String name) throws IOException {
        try (InputStream manifest =
                WellKnownManifestsIT.class.getResourceAsStream("/io/keelson/manifests/" + name + ".yaml")) {
            Path file = folder().resolve(name + ".yaml");
            Files.write(file, Objects.requireNonNull(manifest, name).readAllBytes());
            return file;
        }
    }
}
