package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs that tests start, where {@code src/test/tools/provide.sh} has put them before the tests ran. A missing one
 * fails the test that asks for it, and the message says how to get it.
 */
public final class TestTools {
    private static final Path FOLDER =
            Path.of(System.getProperty("keelson-test.tools", "target/tools")).toAbsolutePath();

    private TestTools() {}

    public static Path kubectl() {
        return tool("kubectl");
    }

    /** Each kubectl at hand, all of different versions, with {@link #kubectl()} among them. */
    public static List<Path> kubectls() {
        Path folder = tool("kubectls");
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path node() {
        return tool("node");
    }

    /** The folder with the modules of {@code src/test/tools/node-client} for {@link #node()}. */
    public static Path nodeModules() {
        return tool("node_modules");
    }

    /** A Python that has the module kubernetes. */
    public static Path python() {
        return tool("python");
    }

    public static Path chromium() {
        return tool("chromium");
    }

    public static Path chromedriver() {
        return tool("chromedriver");
    }

    /** The folder with {@code api.jar} and {@code crd-generator.jar} of Strimzi, which the build copies there. */
    public static Path strimzi() {
        Path folder = FOLDER.resolve("strimzi");
        if (!Files.isDirectory(folder)) {
            throw new AssertionError(
                    folder + " is missing: run ./mvnw dependency:copy@provide-strimzi, as the build does");
        }
        return folder;
    }

    static Path etcd(EtcdVersion version) {
        return tool(folder(version) + "/etcd");
    }

    static Path etcdctl(EtcdVersion version) {
        return tool(folder(version) + "/etcdctl");
    }

    /** The image to start etcd from, on a machine that has no program of that version but Docker. */
    static Optional<String> etcdImage(EtcdVersion version) {
        Path image = FOLDER.resolve(folder(version)).resolve("image");
        try {
            return Files.exists(image) ? Optional.of(Files.readString(image).strip()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String folder(EtcdVersion version) {
        return "etcd-" + version.minor();
    }

    private static Path tool(String name) {
        Path tool = FOLDER.resolve(name);
        if (!Files.isExecutable(tool)) {
            throw new AssertionError(
                    "%s is missing: run src/test/tools/provide.sh %s, as the build does before its tests"
                            .formatted(tool, FOLDER));
        }
        return tool;
    }
}
