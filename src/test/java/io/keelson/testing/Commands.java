package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end. */
public final class Commands {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Commands() {}

    /**
     * Runs the command and returns what it wrote to its standard output.
     *
     * @throws AssertionError where it ends with another code than 0 or not within a minute, with what it wrote
     */
    public static String run(Map<String, String> environment, List<String> command) {
        Path output = temporaryFile();
        Path errors = temporaryFile();
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("%s did not end within %s".formatted(command, LIMIT));
            }
            String written = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new AssertionError("%s ended with code %d: %s%s"
                        .formatted(command, process.exitValue(), written, Files.readString(errors)));
            }
            return written;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + command, e);
        } finally {
            output.toFile().delete();
            errors.toFile().delete();
        }
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("keelson-test", ".out");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
