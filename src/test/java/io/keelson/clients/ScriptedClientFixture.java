package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What every script of a {@link ScriptedClient} does, whatever its language. */
abstract class ScriptedClientFixture extends ClientFixture {
    private ScriptedClient client;

    /** The client of the subclass; the folder is empty and stays while it is used. */
    abstract ScriptedClient client(Path folder) throws IOException;

    @BeforeAll
    void prepareClient() throws IOException {
        client = client(Files.createDirectory(folder().resolve("client")));
    }

    @Test
    void creates_lists_replaces_and_deletes() {
        assertThat(client.run("objects", kubeconfig(), namespace()))
                .containsExactly(
                        "created a 1",
                        "created b 1",
                        "refused 409 AlreadyExists",
                        "listed a b",
                        "listed by label b",
                        "replaced a 2",
                        "refused 409 Conflict",
                        "replaced a 3",
                        "patched a 4",
                        "deleted a",
                        "refused 404 NotFound",
                        "listed b");
    }

    @Test
    void sees_each_change_once_over_restarts() {
        create("a", "1");
        try (ScriptedClient.Running running = client.start("follow", kubeconfig(), namespace())) {
            Observations seen = running.observations();
            seen.awaitNext("added a 1");
            restart();
            replace("a", "2");
            create("b", "1");
            seen.awaitNext("modified a 2", "added b 1");
            crash();
            delete("a");
            replace("b", "2");
            seen.awaitNext("deleted a 2", "modified b 2");
        }
    }
}
