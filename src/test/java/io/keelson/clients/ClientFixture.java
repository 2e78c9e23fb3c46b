package io.keelson.clients;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged server for the tests of one client, which find it by the kubeconfig that it wrote, and a namespace of its
 * own for each test. A test may restart the server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientFixture {
    static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String TEST_NAMESPACE = "client-";

    private Path folder;
    private ServerProcess server;
    private ApiClient api;
    private String namespace;

    @BeforeAll
    void startServer(@TempDir Path folder) throws IOException {
        this.folder = folder;
        server = server(Files.createDirectory(folder.resolve("data"))).start();
        api = new ApiClient(server.url());
    }

    /** The server to test, on the store to test it on; the folder is empty. */
    ServerProcess.Builder server(Path folder) {
        return ServerProcess.embedded(folder);
    }

    @AfterAll
    void stopServer() {
        if (api != null) {
            api.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void createNamespace() {
        namespace = TEST_NAMESPACE + UUID.randomUUID();
        api.createNamespace(namespace);
    }

    final Path kubeconfig() {
        return server.kubeconfig();
    }

    /** The namespace of the test that runs. */
    final String namespace() {
        return namespace;
    }

    /** A folder for what a client writes. */
    final Path folder() {
        return folder;
    }

    /** Ends the server in order, as for an upgrade, and returns when it is ready again. */
    final void restart() {
        server.restart();
    }

    /** Ends the server at once, as a crash does, and returns when it is ready again. */
    final void crash() {
        server.kill();
        server.restart();
    }

    // What somebody else than the client under test does.

    final void create(String name, String value) {
        api.post(configMaps(), ApiClient.configMap(name, value)).succeeded();
    }

    final void replace(String name, String value) {
        api.put(configMaps() + "/" + name, ApiClient.configMap(name, value)).succeeded();
    }

    final void delete(String name) {
        api.delete(configMaps() + "/" + name).succeeded();
    }

    private String configMaps() {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }
}
