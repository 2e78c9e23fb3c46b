package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the heap of a JVM holds that can be reached, after a collection that was asked for.
 *
 * @param bytes in all
 * @param instances how many objects there are of each class
 */
public record LiveHeap(long bytes, Map<String, Long> instances) {
    /** Whether a server can be looked into: one that is an executable has no JVM. */
    public static boolean isSeen() {
        return System.getProperty("keelson-test.app", "").endsWith(".jar");
    }

    public static LiveHeap of(ServerProcess server) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process process = new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rows are a number, instances, bytes and class; the last one is the total. */
    private static LiveHeap parse(String histogram) {
        var instances = new HashMap<String, Long>();
        for (String line : histogram.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            if (words.length >= 4 && words[0].matches("\\d+:")) {
                instances.put(words[3], Long.parseLong(words[1]));
            } else if (words[0].equals("Total")) {
                return new LiveHeap(Long.parseLong(words[2]), Map.copyOf(instances));
            }
        }
        throw new AssertionError("no histogram: " + histogram);
    }
}
