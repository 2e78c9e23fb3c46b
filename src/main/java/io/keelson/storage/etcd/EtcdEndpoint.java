package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One member's address and the connection to it, which is made at the first call. */
@ThreadSafe
final class EtcdEndpoint {
    private static final int DEFAULT_PORT = 2379;
    /** How often a connection that fails is tried anew at most. */
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * An endpoint as configured.
     *
     * @param host a name or address, IPv6 in brackets
     */
    record Address(String host, int port, boolean tls) {
        static Address parse(String text, boolean hasTlsFiles) {
            URI uri;
            try {
                uri = URI.create(text.contains("://") ? text : (hasTlsFiles ? "https://" : "http://") + text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("etcd: bad endpoint \"" + text + "\": " + e.getMessage(), e);
            }
            boolean tls = "https".equals(uri.getScheme());
            if (uri.getHost() == null || !(tls || "http".equals(uri.getScheme()))) {
                throw new IllegalArgumentException(
                        "etcd: bad endpoint \"" + text + "\": want http://HOST:PORT or https://HOST:PORT");
            }
            if (!tls && hasTlsFiles) {
                throw new IllegalArgumentException(
                        "etcd: TLS files are given, but the endpoint \"" + text + "\" would be spoken to without TLS");
            }
            return new Address(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), tls);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    private final Address address;
    private final ManagedChannel channel;
    private final Channel requiringLeader;
    private final AtomicLong lastReset = new AtomicLong(System.nanoTime());

    EtcdEndpoint(Address address, ManagedChannel channel) {
        this.address = address;
        this.channel = channel;
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
        this.requiringLeader =
                ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    ManagedChannel channel() {
        return channel;
    }

    /**
     * The same connection for calls that a member without a leader is to refuse at once: a write would time out there
     * with an unknown outcome, and a watch would wait in silence.
     */
    Channel requiringLeader() {
        return requiringLeader;
    }

    boolean ready() {
        return channel.getState(true) == ConnectivityState.READY;
    }

    /** Whether the last attempt to connect failed and none is under way. */
    boolean broken() {
        return channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE;
    }

    /**
     * Has a broken connection tried again soon. gRPC by itself waits up to two minutes between attempts, and fails all
     * calls until then: an etcd that is back would be called unreachable for that long.
     */
    void retryConnection() {
        long last = lastReset.get();
        long now = System.nanoTime();
        if (now - last >= RECONNECT_NANOS && lastReset.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
