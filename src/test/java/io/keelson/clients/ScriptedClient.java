package io.keelson.clients;

import io.keelson.testing.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A client in another language: a script of the test resources, which its interpreter runs with the mode, the kubeconfig
 * and the namespace as arguments. The script prints a line for each thing that it does or sees.
 */
final class ScriptedClient {
    private final Path folder;
    private final List<String> command;

    /** The folder gets the script, and beside it what its interpreter finds there. */
    ScriptedClient(Path interpreter, String script, Path folder) {
        this.folder = folder;
        this.command = List.of(interpreter.toString(), copy(script, folder).toString());
    }

    /** Runs the script to its end and gives the lines that it printed. */
    List<String> run(String mode, Path kubeconfig, String namespace) {
        return Commands.run(Map.of(), command(mode, kubeconfig, namespace))
                .lines()
                .toList();
    }

    /** Starts the script, which goes on until it is closed. */
    Running start(String mode, Path kubeconfig, String namespace) {
        try {
            Path output = Files.createTempFile(folder, "client", ".out");
            Path errors = Files.createTempFile(folder, "client", ".err");
            Process process = new ProcessBuilder(command(mode, kubeconfig, namespace))
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            return new Running(process, output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException("Can not start " + command, e);
        }
    }

    /** A script that runs. Closing kills it. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final Path output;
        private final Path errors;

        private Running(Process process, Path output, Path errors) {
            this.process = process;
            this.output = output;
            this.errors = errors;
        }

        Observations observations() {
            return new Observations(this::lines, this::errors);
        }

        private String errors() {
            try {
                return Files.readString(errors);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private List<String> lines() {
            try {
                return Files.readAllLines(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private List<String> command(String mode, Path kubeconfig, String namespace) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(mode, kubeconfig.toString(), namespace));
        return all;
    }

    private static Path copy(String script, Path folder) {
        Path copy = folder.resolve(script);
        try (InputStream resource = ScriptedClient.class.getResourceAsStream(script)) {
            Files.copy(resource, copy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copy;
    }
}
