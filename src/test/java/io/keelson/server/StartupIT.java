package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Kubectl;
import io.keelson.testing.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says when it starts, and how it ends when it cannot. */
class StartupIT {
    private static final int BAD_SETTING = 2;
    private static final int PORT_TAKEN = 3;
    private static final int DATA_LOCKED = 4;

    @TempDir
    private Path folder;

    @Test
    void says_what_it_serves_and_where_and_writes_a_kubeconfig_that_works() throws IOException {
        try (ServerProcess server = ServerProcess.embedded(folder).start()) {
            assertThat(server.output())
                    .contains("Keelson ", "on " + server.url(), "this machine only", folder.toString())
                    .contains("export KUBECONFIG=" + server.kubeconfig());
            assertThat(server.kubeconfig()).isEqualTo(folder.resolve("kubeconfig"));
            Path home = Files.createDirectory(folder.resolve("home"));
            var kubectl = new Kubectl(server.kubeconfig(), home);
            assertThat(kubectl.call("get", "namespaces", "-o", "name"))
                    .contains("namespace/default", "namespace/kube-system", "namespace/kube-public");
            assertThat(kubectl.call("get", "priorityclasses,servicecidrs", "-o", "name"))
                    .contains("/system-node-critical", "/system-cluster-critical", "/kubernetes");
            assertThat(kubectl.call("get", "apiservices")).containsPattern("v1\\.apps +Local +True");
            assertThat(kubectl.call("get", "componentstatuses")).containsPattern("etcd-0 +Healthy +ok");
            assertThat(server.stop()).as("exit code after SIGTERM").isIn(0, 143);
        }
    }

    @Test
    void refuses_an_unknown_storage_type_and_names_the_known_ones() {
        String output = refused(BAD_SETTING, ServerProcess.embedded(folder).set("KEELSON_STORAGE_TYPE", "floppy"));
        assertThat(output).contains("keelson.storage.type", "floppy", "embedded", "etcd3");
    }

    @Test
    void refuses_to_be_reached_from_elsewhere_unless_it_is_told_so() {
        String output = refused(BAD_SETTING, ServerProcess.embedded(folder).set("KEELSON_HOST", "0.0.0.0"));
        assertThat(output).contains("keelson.host", "0.0.0.0", "keelson.insecure=true");
        try (ServerProcess server = ServerProcess.inMemory(folder)
                .set("KEELSON_HOST", "0.0.0.0")
                .set("KEELSON_INSECURE", "true")
                .start()) {
            assertThat(server.output()).contains("NO AUTHENTICATION");
        }
    }

    @Test
    void serves_the_groups_that_it_is_told_and_the_core_group() throws IOException {
        String output = refused(BAD_SETTING, ServerProcess.inMemory(folder).set("KEELSON_BUILTIN_GROUPS", "apps,aps"));
        assertThat(output).contains("keelson.builtin-groups", "\"aps\"", "apps, ", "core", "networking.k8s.io");
        try (ServerProcess server = ServerProcess.inMemory(folder)
                .set("KEELSON_BUILTIN_GROUPS", "batch")
                .start()) {
            Path home = Files.createDirectory(folder.resolve("home"));
            assertThat(new Kubectl(server.kubeconfig(), home)
                            .call("api-versions")
                            .lines())
                    .containsExactlyInAnyOrder("apiextensions.k8s.io/v1", "batch/v1", "v1");
        }
    }

    @Test
    void names_a_setting_that_has_no_sense() {
        assertThat(refused(BAD_SETTING, ServerProcess.embedded(folder).set("KEELSON_PORT", "abc")))
                .contains("keelson.port", "abc");
        assertThat(refused(
                        BAD_SETTING, ServerProcess.embedded(folder).set("KEELSON_STORAGE_COMPACTION_INTERVAL", "soon")))
                .contains("keelson.storage.compaction-interval", "soon");
        assertThat(refused(BAD_SETTING, ServerProcess.embedded(folder).set("KEELSON_WATCH_CACHE_HEAP_PERCENT", "200")))
                .contains("keelson.watch-cache.heap-percent", "200");
    }

    @Test
    void says_that_the_port_is_taken() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String output = refused(
                    PORT_TAKEN,
                    ServerProcess.inMemory(folder).set("KEELSON_PORT", Integer.toString(other.getLocalPort())));
            assertThat(output).contains("keelson.port");
        }
    }

    @Test
    void leaves_a_data_folder_alone_that_another_process_works_on() {
        try (ServerProcess first = ServerProcess.embedded(folder).start()) {
            assertThat(refused(DATA_LOCKED, ServerProcess.embedded(folder))).contains(folder.toString());
            assertThat(first.isAlive()).isTrue();
        }
    }

    /** Starts a server that has to end by itself, and gives what it printed. */
    private static String refused(int exitCode, ServerProcess.Builder settings) {
        try (ServerProcess server = settings.launch()) {
            int actual = server.awaitExit();
            String output = server.output();
            assertThat(actual).as(output).isEqualTo(exitCode);
            assertThat(output).contains("Keelson cannot start: ").doesNotContain("\tat ");
            return output;
        }
    }
}
