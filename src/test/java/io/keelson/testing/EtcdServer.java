package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd of one member on free ports, with its data in a temporary folder. It can be stopped, killed and restarted on
 * the same ports and data. {@link #close()} ends it and deletes the folder. Used by one thread at a time.
 */
public final class EtcdServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private final Path folder;
    private final @Nullable TestCertificates certificates;
    private final int clientPort;
    private final int peerPort;
    private final int healthPort;
    private final List<String> extraFlags;
    private final EtcdRunner runner;

    private EtcdServer(EtcdVersion version, boolean tls, List<String> extraFlags) {
        this.folder = temporaryFolder();
        this.certificates = tls ? TestCertificates.create(folder) : null;
        List<Integer> ports = FreePorts.take(3);
        this.clientPort = ports.get(0);
        this.peerPort = ports.get(1);
        this.healthPort = ports.get(2);
        this.extraFlags = List.copyOf(extraFlags);
        this.runner = TestTools.etcdImage(version)
                .<EtcdRunner>map(image -> new EtcdContainer(image, folder))
                .orElseGet(() -> new EtcdProcess(version));
    }

    /** Starts an etcd without TLS and returns when it is healthy; {@code flags} are added to its command line. */
    public static EtcdServer start(EtcdVersion version, String... flags) {
        return started(version, false, List.of(flags));
    }

    /**
     * The same for tests that write much and never lose power: etcd does not wait for the disk, where its version can be
     * told so. What was written survives {@link #kill()} all the same.
     */
    public static EtcdServer startWithoutFsync(EtcdVersion version) {
        return switch (version) {
            case V3_4 -> start(version);
            case V3_5 -> start(version, "--unsafe-no-fsync");
        };
    }

    /** Starts an etcd that speaks TLS only and asks each client for a certificate of {@link #caFile()}. */
    public static EtcdServer startTls(EtcdVersion version, String... flags) {
        return started(version, true, List.of(flags));
    }

    private static EtcdServer started(EtcdVersion version, boolean tls, List<String> flags) {
        EtcdServer server = new EtcdServer(version, tls, flags);
        try {
            server.launch();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** The address that clients use. */
    public String endpoint() {
        return url(clientPort);
    }

    /** The certificate of the authority that signed the server's and the client's, in PEM. */
    public Path caFile() {
        return certificates().caFile();
    }

    /** A client's certificate, in PEM. */
    public Path certFile() {
        return certificates().clientCertFile();
    }

    /** The key of the client's certificate, in PEM (PKCS#8). */
    public Path keyFile() {
        return certificates().clientKeyFile();
    }

    /** Ends it in order (SIGTERM), as for an upgrade. */
    public void stop() {
        runner.stop();
    }

    /** Ends it at once (SIGKILL), as a crash does. */
    public void kill() {
        runner.kill();
    }

    /** Starts it again on the same ports and data, after ending it where it runs, and returns when it is healthy. */
    public void restart() {
        if (runner.alive()) {
            runner.stop();
        }
        launch();
    }

    /** Runs etcdctl against this server and returns its standard output. */
    public String etcdctl(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--endpoints=" + endpoint()));
        if (certificates != null) {
            all.addAll(List.of("--cacert=" + caFile(), "--cert=" + certFile(), "--key=" + keyFile()));
        }
        all.addAll(List.of(arguments));
        return runner.etcdctl(all);
    }

    @Override
    public void close() {
        runner.kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void launch() {
        Path log = folder.resolve("etcd.log");
        runner.start(flags(), log);
        Awaitility.await("etcd at " + endpoint())
                .atMost(START_LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .failFast(() -> {
                    if (!runner.alive()) {
                        throw new AssertionError("etcd ended while starting:\n" + Files.readString(log));
                    }
                })
                .until(this::healthy);
    }

    private List<String> flags() {
        String client = endpoint();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> flags = new ArrayList<>(List.of(
                "--name=test",
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=test=" + peer,
                "--listen-metrics-urls=http://127.0.0.1:" + healthPort));
        if (certificates != null) {
            flags.addAll(List.of(
                    "--client-cert-auth",
                    "--trusted-ca-file=" + certificates.caFile(),
                    "--cert-file=" + certificates.serverCertFile(),
                    "--key-file=" + certificates.serverKeyFile()));
        }
        flags.addAll(extraFlags);
        return flags;
    }

    /** Asks the port of the metrics, which is without TLS in every variant. */
    private boolean healthy() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + healthPort + "/health"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private String url(int port) {
        return (certificates == null ? "http" : "https") + "://127.0.0.1:" + port;
    }

    private TestCertificates certificates() {
        if (certificates == null) {
            throw new IllegalStateException("this etcd was started without TLS");
        }
        return certificates;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("keelson-etcd");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
