package io.keelson.storage.embedded;

import io.keelson.storage.kv.KvStore;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;

/** A process that writes to a store until it is killed, and tells each write that was acknowledged. */
final class CrashWriter {
    private static final int VALUE_BYTES = 512;

    private CrashWriter() {}

    static Process start(Path folder, int threads) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx128m",
                        // A killed process leaves the unpacked library behind.
                        "-Djava.io.tmpdir=" + folder.toAbsolutePath().getParent(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CrashWriter.class.getName(),
                        folder.toString(),
                        Integer.toString(threads))
                .redirectInput(new File("/dev/null"))
                .start();
    }

    public static void main(String[] args) {
        var store = EmbeddedKvStore.open(new EmbeddedOptions(args[0], InstantSource.system()));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            int writer = i;
            Thread.ofPlatform().start(() -> writeForever(store, writer, out));
        }
    }

    private static void writeForever(EmbeddedKvStore store, int writer, PrintStream out) {
        String shared = "/shared/" + writer;
        long last = 0;
        for (int n = 0; true; n++) {
            String key = "/own/" + writer + "/" + n;
            KvStore.WriteResult own = store.put(key, new byte[VALUE_BYTES], 0, 0);
            out.println("ack " + key + " " + own.revision() + " .");
            last = store.put(shared, new byte[VALUE_BYTES], last, 0).revision();
            out.println("ack " + shared + " " + last + " .");
        }
    }
}
