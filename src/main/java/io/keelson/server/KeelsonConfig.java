package io.keelson.server;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings of the server. Each can be given as a system property, in {@code application.properties} or as an
 * environment variable, as MicroProfile Config maps it: {@code keelson.storage.path} is {@code KEELSON_STORAGE_PATH}.
 */
@ConfigMapping(prefix = "keelson")
public interface KeelsonConfig {
    /** The address to listen on. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port to listen on. */
    @WithDefault("8080")
    int port();

    /** Whether to listen without TLS and authentication on an address that other machines can reach. */
    @WithDefault("false")
    boolean insecure();

    /** Where to write a kubeconfig; by default into the data folder. */
    Optional<Path> kubeconfig();

    /** The groups of built-in kinds to serve, by name; all where none is given. The core group is always served. */
    Optional<List<String>> builtinGroups();

    Storage storage();

    WatchCache watchCache();

    Controllers controllers();

    CustomResources customResources();

    /** Where objects are kept. */
    interface Storage {
        /** {@code embedded} or {@code etcd3}. */
        @WithDefault("embedded")
        String type();

        /** What all keys begin with. */
        @WithDefault("/registry")
        String prefix();

        /** The data folder of the embedded store, or {@code memory}. */
        @WithDefault("keelson-data")
        String path();

        /** How long a past revision stays readable at least; 0 never compacts. */
        @WithDefault("5m")
        Duration compactionInterval();

        Etcd etcd();

        /** The etcd cluster. */
        interface Etcd {
            @WithDefault("http://127.0.0.1:2379")
            List<String> endpoints();

            /** The certificate authority that signed the members' certificates, in PEM form. */
            Optional<Path> caFile();

            /** The certificate to show to etcd, in PEM form. */
            Optional<Path> certFile();

            /** The private key of {@link #certFile}, in PEM form. */
            Optional<Path> keyFile();

            /** Whether reads are linearizable. */
            @WithDefault("true")
            boolean quorum();
        }
    }

    /** The cache between storage and readers. */
    interface WatchCache {
        /** Whether there is one; without it every read and watch goes to storage. */
        @WithDefault("true")
        boolean enabled();

        /** How many events the window of a resource holds at the start; 0 leaves the cache out. */
        @WithDefault("100")
        int defaultSize();

        /** The same for single resources, by name: {@code keelson.watch-cache.sizes.pods=1000}. */
        Map<String, Integer> sizes();

        /** How much of the greatest heap the windows of all resources may take together, in percent. */
        @WithDefault("25")
        int heapPercent();

        /** How long a resource's cache may not have known itself to be current before it counts as degraded. */
        @WithDefault("30s")
        Duration lagThreshold();

        /** How many revisions of the store a resource's cache may be behind before it counts as degraded. */
        @WithDefault("100000")
        long lagRevisions();

        /** About how often each resource's cache is compared with storage; 0 never compares. */
        @WithDefault("5m")
        Duration consistencyCheckInterval();
    }

    /** What works on objects by itself. */
    interface Controllers {
        /** Whether this server runs them; where none does, a deleted namespace waits for ever. */
        @WithDefault("true")
        boolean enabled();

        /** Those that it does not run, by name. */
        Optional<List<String>> disabled();

        /**
         * Of servers on one etcd one runs them: how long the others wait for a sign of it before one of them takes over, in whole
         * seconds.
         */
        @WithDefault("15s")
        Duration leaseDuration();
    }

    /** What CustomResourceDefinitions define. */
    interface CustomResources {
        /** How long at least a compiled schema stays in memory that nobody needs; it is compiled again when it is needed. */
        @WithDefault("1m")
        Duration schemaIdle();
    }
}
