package io.keelson.storage.etcd;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints such as {@code https://etcd-1:2379}, {@code http://127.0.0.1:2379} or {@code etcd-1:2379}; one without
 *     scheme is spoken to with TLS where a TLS file is given
 * @param caFile PEM certificates of who may sign the servers' certificates; null for those that Java knows
 * @param certFile PEM certificate that shows who we are, null for none; goes together with the key
 * @param keyFile its PEM key, PKCS#8 or RSA in PKCS#1, not encrypted
 * @param quorum whether reads are linearizable; without it they are answered by any member from what it has, which may
 *     be old
 * @param timeout how long one call may take, with all repeats
 */
public record EtcdOptions(
        List<String> endpoints,
        @Nullable Path caFile,
        @Nullable Path certFile,
        @Nullable Path keyFile,
        boolean quorum,
        Duration timeout) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    public EtcdOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("etcd: no endpoint is given");
        }
        if ((certFile == null) != (keyFile == null)) {
            throw new IllegalArgumentException("etcd: certificate and key go together, one of them is missing");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("etcd: the timeout must be longer than 0, not " + timeout);
        }
    }

    /** Linearizable reads without TLS, with the default timeout. */
    public static EtcdOptions plain(String... endpoints) {
        return new EtcdOptions(List.of(endpoints), null, null, null, true, DEFAULT_TIMEOUT);
    }

    boolean hasTlsFiles() {
        return caFile != null || certFile != null;
    }
}
