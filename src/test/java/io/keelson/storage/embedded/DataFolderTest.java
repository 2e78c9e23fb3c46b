package io.keelson.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    Path folder;

    @Test
    void aFolderHasOneStoreAtATime() {
        String pid = Long.toString(ProcessHandle.current().pid());
        try (EmbeddedKvStore first = open(folder)) {
            assertThatThrownBy(() -> open(folder))
                    .isInstanceOf(DataFolderLockedException.class)
                    .hasMessageContaining(folder.getFileName().toString())
                    .hasMessageContaining("process " + pid)
                    .hasMessageContaining("stop that process, or choose another folder");
            assertThat(first.put("/a", new byte[1], 0, 0).succeeded()).isTrue();
        }
        try (EmbeddedKvStore again = open(folder)) {
            assertThat(again.get("/a").kv()).isNotNull();
        }
    }

    @Test
    void anotherProcessIsToldWhoHasTheFolder() throws Exception {
        try (EmbeddedKvStore _ = open(folder)) {
            Process other = CrashWriter.start(folder, 1);
            String output = new String(other.getErrorStream().readAllBytes());
            assertThat(other.waitFor()).isNotZero();
            assertThat(output)
                    .contains("DataFolderLockedException")
                    .contains("process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void aFolderThatIsAFileIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StorageException.Unreachable.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndTheFolderFreeAgain() throws IOException {
        Path database = Files.writeString(folder.resolve("keelson.db"), "no database ".repeat(100));
        assertThatThrownBy(() -> open(folder))
                .isInstanceOf(StorageException.Unreachable.class)
                .hasMessageContaining(folder.toString());
        Files.delete(database);
        open(folder).close();
    }

    private static EmbeddedKvStore open(Path path) {
        return EmbeddedKvStore.open(new EmbeddedOptions(path.toString(), InstantSource.system()));
    }
}
