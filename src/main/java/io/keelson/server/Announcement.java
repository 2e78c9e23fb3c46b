package io.keelson.server;

import io.quarkus.runtime.LaunchMode;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Says, in a few lines, what is served and where, and writes the kubeconfig that leads there. */
@ApplicationScoped
class Announcement {
    private static final Logger LOG = Logger.getLogger(Announcement.class);

    private final KeelsonConfig config;
    private final ApiServer server;
    private final String version;

    Announcement(
            KeelsonConfig config,
            ApiServer server,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config;
        this.server = server;
        this.version = version;
    }

    void print() {
        int port = listeningPort();
        String host = ListenPolicy.isLoopback(config.host()) ? config.host() : "127.0.0.1";
        String url = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        Path kubeconfig = kubeconfigPath(port);
        var out = new StringBuilder();
        out.append("Keelson ").append(version).append(" serves ");
        out.append(server.resources().definitions().size())
                .append(" resources on ")
                .append(url);
        out.append(
                ListenPolicy.isLoopback(config.host())
                        ? " (no TLS, no authentication: this machine only)\n"
                        : " and every address of " + config.host()
                                + " (keelson.insecure: no TLS, NO AUTHENTICATION)\n");
        out.append("  storage  ").append(storage()).append('\n');
        out.append("  browser  ").append(url).append("/\n");
        if (write(kubeconfig, kubeconfig(url))) {
            out.append("  kubectl  export KUBECONFIG=").append(kubeconfig).append('\n');
        }
        System.out.print(out);
        System.out.flush();
    }

    private int listeningPort() {
        String key = LaunchMode.current() == LaunchMode.TEST ? "quarkus.http.test-port" : "quarkus.http.port";
        return ConfigProvider.getConfig()
                .getOptionalValue(key, Integer.class)
                .filter(port -> port > 0)
                .orElse(config.port());
    }

    private String storage() {
        return switch (config.storage().type()) {
            case StorageFactory.ETCD ->
                "etcd at " + String.join(", ", config.storage().etcd().endpoints());
            default ->
                config.storage().path().equals("memory")
                        ? "in memory: gone when the server stops"
                        : Path.of(config.storage().path())
                                .toAbsolutePath()
                                .normalize()
                                .toString();
        };
    }

    private Path kubeconfigPath(int port) {
        Path inData = StorageFactory.hasDataFolder(config.storage())
                ? Path.of(config.storage().path(), "kubeconfig")
                : Path.of(System.getProperty("java.io.tmpdir"), "keelson-" + port, "kubeconfig");
        return config.kubeconfig().orElse(inData).toAbsolutePath().normalize();
    }

    private static boolean write(Path file, String content) {
        try {
            Path folder = file.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, content, StandardCharsets.UTF_8);
            return true;
        } catch (IOException e) {
            LOG.warnf("No kubeconfig was written to %s: %s", file, e);
            return false;
        }
    }

    /** There is no TLS to verify; the client for Node.js speaks plain HTTP only to a server that is marked so. */
    private static String kubeconfig(String url) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: keelson
                  cluster:
                    server: %s
                    insecure-skip-tls-verify: true
                users:
                - name: keelson
                  user: {}
                contexts:
                - name: keelson
                  context:
                    cluster: keelson
                    user: keelson
                    namespace: default
                current-context: keelson
                """.formatted(url);
    }
}
