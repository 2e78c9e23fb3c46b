package io.keelson.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server for the tests of one class, and a namespace of its own for each of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ServerFixture {
    private Path folder;
    private ServerProcess server;
    private ApiClient api;
    private String namespace;

    @BeforeAll
    final void startServer(@TempDir Path folder) throws IOException {
        this.folder = folder;
        server = server(Files.createDirectory(folder.resolve("data"))).start();
        api = new ApiClient(server.url());
    }

    /** The server to test, on the store to test it on; the folder is empty. */
    protected ServerProcess.Builder server(Path folder) {
        return ServerProcess.embedded(folder);
    }

    @AfterAll
    final void stopServer() {
        if (api != null) {
            api.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    final void createNamespace() {
        namespace = "test-" + UUID.randomUUID();
        api.createNamespace(namespace);
    }

    protected final ServerProcess server() {
        return server;
    }

    protected final ApiClient api() {
        return api;
    }

    /** The namespace of the test that runs. */
    protected final String namespace() {
        return namespace;
    }

    /** A folder for what a client writes. */
    protected final Path folder() {
        return folder;
    }
}
