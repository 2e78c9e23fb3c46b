package io.keelson.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.RecordingWatchSink;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes loses nothing that it was told is written. */
class CrashTest {
    private static final int THREADS = 8;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 1_000;
    private static final Pattern ACK = Pattern.compile("ack (\\S+) (\\d+) \\.");

    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    void everyAcknowledgedWriteSurvivesAKill() throws Exception {
        for (int round = 0; round < 2; round++) {
            Path data = folder.resolve("round" + round);
            List<String> lines = writeUntilKilled(data);
            Map<Long, String> acknowledged = new TreeMap<>();
            for (String line : lines) {
                Matcher ack = ACK.matcher(line);
                if (ack.matches()) {
                    acknowledged.put(Long.parseLong(ack.group(2)), ack.group(1));
                }
            }
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED_BEFORE_KILL);
            check(data, acknowledged);
        }
    }

    private static List<String> writeUntilKilled(Path data) throws Exception {
        Process writer = CrashWriter.start(data, THREADS);
        List<String> lines = new ArrayList<>();
        try (BufferedReader out = writer.inputReader()) {
            String line = out.readLine();
            while (line != null) {
                lines.add(line);
                if (lines.size() == ACKNOWLEDGED_BEFORE_KILL) {
                    // Through the handle: the process's own method closes the stream that is read here.
                    writer.toHandle().destroyForcibly();
                }
                line = out.readLine();
            }
        } finally {
            writer.destroyForcibly();
        }
        if (lines.size() < ACKNOWLEDGED_BEFORE_KILL) {
            throw new AssertionError(new String(writer.getErrorStream().readAllBytes()));
        }
        writer.waitFor();
        return lines;
    }

    private static void check(Path data, Map<Long, String> acknowledged) {
        try (var store = EmbeddedKvStore.open(new EmbeddedOptions(data.toString(), InstantSource.system()))) {
            long last = store.currentRevision();
            var sink = new RecordingWatchSink();
            try (var _ = store.watch("/", "0", 1, sink)) {
                Map<Long, String> history = new TreeMap<>();
                for (KvEvent event : sink.awaitEvents((int) (last - ReadSession.INITIAL_REVISION))) {
                    history.put(event.revision(), event.key());
                    var current = store.get(event.key()).kv();
                    assertThat(current).isNotNull();
                    assertThat(current.modRevision()).isGreaterThanOrEqualTo(event.revision());
                }
                assertThat(history).containsAllEntriesOf(acknowledged);
                assertThat(history).hasSize((int) (last - ReadSession.INITIAL_REVISION));
            }
            assertThat(store.put("/after", new byte[1], 0, 0).revision()).isEqualTo(last + 1);
        }
    }
}
