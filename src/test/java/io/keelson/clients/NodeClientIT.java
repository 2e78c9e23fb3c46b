package io.keelson.clients;

import io.keelson.testing.TestTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** The official client for Node.js and its informer. */
class NodeClientIT extends ScriptedClientFixture {
    private Path modules;

    @Override
    ScriptedClient client(Path folder) throws IOException {
        // Node.js looks for a script's modules beside the script.
        modules = Files.createSymbolicLink(folder.resolve("node_modules"), TestTools.nodeModules());
        return new ScriptedClient(TestTools.node(), "client.mjs", folder);
    }

    @AfterAll
    void unlinkModules() throws IOException {
        if (modules != null) {
            Files.delete(modules);
        }
    }
}
