package io.keelson.testing;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The packaged server as a child process: what the system property {@code keelson-test.app} names, a jar run by the JVM
 * that runs the test or an executable. It listens on a free port of 127.0.0.1 that it keeps over {@link #restart}.
 *
 * <p>For use by one thread, but {@link #output} and {@link #kill} may be called from any. Closing kills what still runs.
 */
public final class ServerProcess implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(50);
    private static final String CONSISTENCY_CHECK_INTERVAL = "5s";

    /** What the server logs when it has compared a cache with storage and found a difference. */
    private static final String INCONSISTENT = "differs from storage at revision";

    private static final Pattern KUBECONFIG = Pattern.compile("export KUBECONFIG=(['\"]?)([^'\"\\r\\n]+)\\1");

    private final Path folder;
    private final Map<String, String> settings;
    private final List<String> jvmArguments;
    private final int port;
    private final Thread killer = new Thread(this::kill);
    private volatile OutputBuffer output = new OutputBuffer();
    private volatile Process process;

    private ServerProcess(Builder builder) {
        this.folder = builder.folder;
        this.settings = Map.copyOf(builder.settings);
        this.jvmArguments = List.copyOf(builder.jvmArguments);
        this.port = freePort();
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** A server on the embedded store with its data in the folder. */
    public static Builder embedded(Path folder) {
        return new Builder(folder)
                .set("KEELSON_STORAGE_TYPE", "embedded")
                .set("KEELSON_STORAGE_PATH", folder.toString());
    }

    /** A server on the embedded store in memory; the folder is where it runs. */
    public static Builder inMemory(Path folder) {
        return new Builder(folder).set("KEELSON_STORAGE_TYPE", "embedded").set("KEELSON_STORAGE_PATH", "memory");
    }

    /** A server on etcd; the folder is for what it writes beside, such as the kubeconfig. */
    public static Builder etcd(Path folder, String endpoints) {
        return new Builder(folder)
                .set("KEELSON_STORAGE_TYPE", "etcd3")
                .set("KEELSON_STORAGE_PATH", folder.toString())
                .set("KEELSON_STORAGE_ETCD_ENDPOINTS", endpoints);
    }

    /** Collects the settings of a server. */
    public static final class Builder {
        private final Path folder;
        private final Map<String, String> settings = new HashMap<>();
        private final List<String> jvmArguments =
                new ArrayList<>(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));

        private Builder(Path folder) {
            this.folder = folder;
        }

        /** Sets an environment variable, such as {@code KEELSON_WATCH_CACHE_DEFAULT_SIZE}. */
        public Builder set(String variable, String value) {
            settings.put(variable, value);
            return this;
        }

        public Builder jvmArgument(String argument) {
            jvmArguments.add(argument);
            return this;
        }

        /** Starts the server and waits until it is ready. */
        public ServerProcess start() {
            return launch().awaitReady();
        }

        /** Starts the server and does not wait: for one that is not expected to become ready. */
        public ServerProcess launch() {
            ServerProcess server = new ServerProcess(this);
            server.spawn();
            return server;
        }
    }

    /** {@code http://127.0.0.1:port}, without a slash at its end. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public URI uri(String pathAndQuery) {
        return URI.create(url() + pathAndQuery);
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    /** What the running process, or the last one, printed to either of its streams. */
    public String output() {
        return output.toString();
    }

    /** The file that the server's {@code export KUBECONFIG=} line names. */
    public Path kubeconfig() {
        Matcher line = KUBECONFIG.matcher(output());
        if (!line.find()) {
            throw failure("The server printed no export KUBECONFIG= line");
        }
        return folder.resolve(line.group(2).trim());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until {@code /readyz} answers 200 and the server has said where it is; fails with the server's output when it
     * ends or the time is over.
     */
    public ServerProcess awaitReady() {
        try (HttpClient client = probeClient()) {
            Awaitility.await("readyz")
                    .pollInterval(PROBE_INTERVAL)
                    .pollDelay(Duration.ZERO)
                    .atMost(START_TIMEOUT)
                    .until(() -> !process.isAlive() || (isReady(client) && isAnnounced()));
        } catch (ConditionTimeoutException e) {
            throw failure("The server was not ready within " + START_TIMEOUT);
        }
        if (!process.isAlive()) {
            throw failure("The server ended with exit code " + process.exitValue() + " before it was ready");
        }
        return this;
    }

    /** Waits for the process to end by itself and gives its exit code. */
    public int awaitExit() {
        return awaitExit(START_TIMEOUT);
    }

    /** Ends the server as a supervisor does (SIGTERM), waits for it and gives its exit code. */
    public int stop() {
        process.destroy();
        return awaitExit(STOP_TIMEOUT);
    }

    /** Ends the server without any warning (SIGKILL) and waits until it is gone. */
    public void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().join();
        }
    }

    /** Stops the server if it runs, starts it with the same settings on the same port and waits until it is ready. */
    public void restart() {
        relaunch();
        awaitReady();
    }

    /** As {@link #restart}, but does not wait until it is ready. */
    public void relaunch() {
        if (process.isAlive()) {
            stop();
        }
        assertConsistent();
        spawn();
    }

    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(killer);
        assertConsistent();
    }

    /** Whatever a test has done to the server, its caches must have shown what storage had. */
    private void assertConsistent() {
        if (output().contains(INCONSISTENT)) {
            throw failure("A watch cache differed from storage");
        }
    }

    private void spawn() {
        ProcessBuilder builder = new ProcessBuilder(command()).redirectErrorStream(true);
        builder.directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        // A developer's own settings must not reach the server under test.
        environment.keySet().removeIf(name -> name.startsWith("KEELSON_") || name.startsWith("QUARKUS_"));
        environment.put("KEELSON_PORT", Integer.toString(port));
        environment.put("KEELSON_WATCH_CACHE_CONSISTENCY_CHECK_INTERVAL", CONSISTENCY_CHECK_INTERVAL);
        environment.putAll(settings);
        OutputBuffer fresh = new OutputBuffer();
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Can not start " + builder.command(), e);
        }
        output = fresh;
        fresh.readFrom(process.getInputStream());
    }

    private List<String> command() {
        String app = requireNonNull(System.getProperty("keelson-test.app"), "keelson-test.app is not set");
        if (!app.endsWith(".jar")) {
            return List.of(app);
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.add("-jar");
        command.add(app);
        return command;
    }

    private int awaitExit(Duration timeout) {
        try {
            if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("Interrupted while waiting for the server to end");
        }
        AssertionError failure = failure("The server did not end within " + timeout);
        kill();
        throw failure;
    }

    private boolean isReady(HttpClient client) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri("/readyz")).timeout(PROBE_TIMEOUT).build();
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The announcement, which ends with where kubectl goes, is printed once all listeners are open. */
    private boolean isAnnounced() {
        return KUBECONFIG.matcher(output()).find();
    }

    private static HttpClient probeClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PROBE_TIMEOUT)
                .build();
    }

    private AssertionError failure(String what) {
        return new AssertionError(what + ". It printed:\n" + output());
    }

    /** A port that was free a moment ago. Chosen here, not by the server, so that a restart can have it again. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        }
    }
}
