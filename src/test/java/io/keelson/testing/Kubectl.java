package io.keelson.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The real kubectl against one server: with the server's kubeconfig, caches of its own and nothing of the user's
 * settings. Every run is bounded by {@link #TIMEOUT}. Safe for use by several threads.
 */
public final class Kubectl {

    public static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path program;
    private final Path kubeconfig;
    private final Path home;

    /** home is an empty folder for this kubectl's caches. */
    public Kubectl(Path kubeconfig, Path home) {
        this(TestTools.kubectl(), kubeconfig, home);
    }

    /** The same with one kubectl of {@link TestTools#kubectls()}. */
    public Kubectl(Path program, Path kubeconfig, Path home) {
        this.program = program;
        this.kubeconfig = kubeconfig;
        this.home = home;
    }

    /** How a run ended and what it printed. */
    public record Result(List<String> arguments, int exitCode, String stdout, String stderr) {

        /** This result, where the run succeeded; fails with all that was printed where it did not. */
        public Result succeeded() {
            if (exitCode != 0) {
                throw new AssertionError(this);
            }
            return this;
        }

        @Override
        public String toString() {
            return "kubectl %s: exit code %d%n%s%n%s".formatted(String.join(" ", arguments), exitCode, stdout, stderr);
        }
    }

    /** Runs kubectl and gives its result, whatever it is. */
    public Result run(String... arguments) {
        return runWithInput("", arguments);
    }

    /** Runs kubectl, which has to succeed, and gives what it printed to its standard output. */
    public String call(String... arguments) {
        return run(arguments).succeeded().stdout();
    }

    /** Runs kubectl with a standard input, as for {@code -f -}. */
    public Result runWithInput(String input, String... arguments) {
        try (Running running = start(arguments)) {
            running.write(input);
            return running.await();
        }
    }

    /** Starts kubectl and does not wait for it, as for {@code get -w}. */
    public Running start(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.add("--cache-dir=" + home.resolve("cache"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment
                .keySet()
                .removeIf(name ->
                        name.startsWith("KUBE") || name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        environment.put("KUBECONFIG", kubeconfig.toString());
        environment.put("HOME", home.toString());
        try {
            return new Running(List.of(arguments), builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("Can not start " + command, e);
        }
    }

    /** A kubectl that runs. Closing kills it. */
    public static final class Running implements AutoCloseable {
        private final List<String> arguments;
        private final Process process;
        private final OutputBuffer stdout = new OutputBuffer();
        private final OutputBuffer stderr = new OutputBuffer();
        private final List<Thread> readers;

        private Running(List<String> arguments, Process process) {
            this.arguments = arguments;
            this.process = process;
            this.readers =
                    List.of(stdout.readFrom(process.getInputStream()), stderr.readFrom(process.getErrorStream()));
        }

        /** What it has printed to its standard output so far. */
        public String stdout() {
            return stdout.toString();
        }

        public String stderr() {
            return stderr.toString();
        }

        public boolean isAlive() {
            return process.isAlive();
        }

        /** Waits until it ends; fails and kills it when {@link Kubectl#TIMEOUT} is over. */
        public Result await() {
            try {
                if (!process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                    close();
                    throw new AssertionError("Not done within " + TIMEOUT + ": " + result(-1));
                }
                for (Thread reader : readers) {
                    reader.join();
                }
                return result(process.exitValue());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted in " + result(-1), e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }

        private void write(String input) {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // It may end before it read all its input; its exit code and messages tell more than a broken pipe.
                return;
            }
        }

        private Result result(int exitCode) {
            return new Result(arguments, exitCode, stdout.toString(), stderr.toString());
        }
    }
}
