package io.keelson.definitions;

import io.keelson.testing.TestTools;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The definitions of Strimzi, which no library carries: its own generator makes them of its own classes, told what the project
 * tells it for a release. The generator is of a newer release than the classes, as it is not published with each. It runs once, for
 * all of them, as a program of its own. Thread-safe.
 */
final class StrimziDefinitions {
    private static final String PACKAGE = "io.strimzi.api.kafka.model.";

    /** Classes, by what they are called below {@link #PACKAGE}. */
    private static final List<String> CLASSES = List.of(
            "bridge.KafkaBridge",
            "connect.KafkaConnect",
            "connector.KafkaConnector",
            "kafka.Kafka",
            "mirrormaker2.KafkaMirrorMaker2",
            "nodepool.KafkaNodePool",
            "podset.StrimziPodSet",
            "rebalance.KafkaRebalance",
            "topic.KafkaTopic",
            "user.KafkaUser");

    private static final long TIMEOUT_SECONDS = 120;

    private StrimziDefinitions() {}

    /** The definition of one of its classes, such as {@code kafka.Kafka}, in YAML, in UTF-8. */
    static byte[] yaml(String name) {
        return Generated.DEFINITIONS.get(name).clone();
    }

    private static final class Generated {
        static final Map<String, byte[]> DEFINITIONS = generate();

        private Generated() {}
    }

    private static Map<String, byte[]> generate() {
        try {
            Path folder = Files.createTempDirectory("keelson-strimzi");
            try {
                run(folder);
                var definitions = new HashMap<String, byte[]>();
                for (String name : CLASSES) {
                    definitions.put(name, Files.readAllBytes(folder.resolve(name)));
                }
                return Map.copyOf(definitions);
            } finally {
                remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void run(Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process generator = new ProcessBuilder(command(folder))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!generator.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || generator.exitValue() != 0) {
                throw new AssertionError(
                        "Strimzi's generator failed: " + Files.readString(log, StandardCharsets.UTF_8));
            }
        } finally {
            generator.destroyForcibly();
        }
    }

    private static List<String> command(Path folder) {
        Path jars = TestTools.strimzi();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                jars.resolve("crd-generator.jar") + File.pathSeparator + jars.resolve("api.jar"),
                "io.strimzi.crdgenerator.CrdGenerator"));
        command.addAll(List.of("--label", "app:strimzi", "--label", "strimzi.io/crd-install:true"));
        command.addAll(List.of("--target-kube", "1.16+", "--crd-api-version", "v1"));
        command.addAll(List.of("--api-versions", "v1beta2,v1", "--storage-version", "v1beta2", "--yaml"));
        CLASSES.forEach(name -> command.add(PACKAGE + name + "=" + folder.resolve(name)));
        return command;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
