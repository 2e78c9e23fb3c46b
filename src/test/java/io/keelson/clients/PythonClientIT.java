package io.keelson.clients;

import io.keelson.testing.TestTools;
import java.nio.file.Path;

/** The official client for Python, which leaves it to the program to watch again after a break. */
class PythonClientIT extends ScriptedClientFixture {
    @Override
    ScriptedClient client(Path folder) {
        return new ScriptedClient(TestTools.python(), "client.py", folder);
    }
}
