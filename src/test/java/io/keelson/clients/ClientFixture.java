package io.keelson.clients;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ServerFixture;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The packaged server for the tests of one client, which find it by the kubeconfig that it wrote, and a namespace of its
 * own for each test. A test may restart the server.
 */
abstract class ClientFixture extends ServerFixture {
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    final Path kubeconfig() {
        return server().kubeconfig();
    }

    /** Ends the server in order, as for an upgrade, and returns when it is ready again. */
    final void restart() {
        server().restart();
    }

    /** Ends the server at once, as a crash does, and returns when it is ready again. */
    final void crash() {
        server().kill();
        server().restart();
    }

    // What somebody else than the client under test does.

    final void create(String name, String value) {
        api().post(configMaps(), ApiClient.configMap(name, value)).succeeded();
    }

    final void replace(String name, String value) {
        api().put(configMaps() + "/" + name, ApiClient.configMap(name, value)).succeeded();
    }

    final void delete(String name) {
        api().delete(configMaps() + "/" + name).succeeded();
    }

    private String configMaps() {
        return "/api/v1/namespaces/" + namespace() + "/configmaps";
    }
}
