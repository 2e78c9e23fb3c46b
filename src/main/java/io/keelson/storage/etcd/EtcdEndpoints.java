package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections to a cluster's members. Calls stay with one member while it answers and go on to the next when it does
 * not. One channel per member, instead of gRPC's own balancing over all, allows that a call is judged by the member that
 * it went to, that each member can be asked for its version, and that each certificate is checked against its own host.
 */
@ThreadSafe
final class EtcdEndpoints implements AutoCloseable {
    /** Threads for the sockets of all members; encoding and decoding of messages is done by the callers. */
    private static final int IO_THREADS = 1;
    /** The largest answer, in bytes: a full page of large objects. */
    private static final int MAX_MESSAGE_BYTES = 512 << 20;

    private static final int KEEPALIVE_SECONDS = 30;
    private static final int KEEPALIVE_TIMEOUT_SECONDS = 10;
    private static final int CLOSE_SECONDS = 2;

    private final NioEventLoopGroup io = new NioEventLoopGroup(IO_THREADS, new DefaultThreadFactory("etcd-io", true));
    private final ExecutorService callbacks = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("etcd-watch-", 0).factory());
    private final List<EtcdEndpoint> all;
    private final AtomicInteger preferred = new AtomicInteger();

    /**
     * @throws IllegalArgumentException where an endpoint or a TLS file is no good
     */
    static EtcdEndpoints open(EtcdOptions options) {
        List<EtcdEndpoint.Address> addresses = options.endpoints().stream()
                .map(text -> EtcdEndpoint.Address.parse(text, options.hasTlsFiles()))
                .toList();
        boolean tls = addresses.stream().anyMatch(EtcdEndpoint.Address::tls);
        return new EtcdEndpoints(addresses, tls ? EtcdTls.context(options) : null, options);
    }

    private EtcdEndpoints(List<EtcdEndpoint.Address> addresses, @Nullable SslContext tls, EtcdOptions options) {
        List<EtcdEndpoint> endpoints = new ArrayList<>();
        for (EtcdEndpoint.Address address : addresses) {
            endpoints.add(new EtcdEndpoint(address, channel(address, tls, options)));
        }
        this.all = List.copyOf(endpoints);
    }

    private ManagedChannel channel(EtcdEndpoint.Address address, @Nullable SslContext tls, EtcdOptions options) {
        int connectMillis = (int) Math.min(options.timeout().toMillis(), Integer.MAX_VALUE);
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.host(), address.port())
                .eventLoopGroup(io)
                .channelType(NioSocketChannel.class)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
                .executor(callbacks)
                .offloadExecutor(callbacks)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES);
        return (address.tls() && tls != null ? builder.useTransportSecurity().sslContext(tls) : builder.usePlaintext())
                .build();
    }

    List<EtcdEndpoint> all() {
        return all;
    }

    int size() {
        return all.size();
    }

    /** The member to call: the preferred one, another where that one is known to be away. */
    EtcdEndpoint pick() {
        int first = preferred.get();
        EtcdEndpoint fallback = null;
        for (int i = 0; i < all.size(); i++) {
            EtcdEndpoint endpoint = all.get((first + i) % all.size());
            if (endpoint.ready()) {
                return endpoint;
            }
            if (fallback == null && !endpoint.broken()) {
                fallback = endpoint;
            }
        }
        return fallback == null ? all.get(first) : fallback;
    }

    /** Notes that a member did not answer, so that the next call goes to another. */
    void failed(EtcdEndpoint endpoint) {
        int index = all.indexOf(endpoint);
        preferred.compareAndSet(index, (index + 1) % all.size());
        endpoint.retryConnection();
    }

    @Override
    public void close() {
        all.forEach(endpoint -> endpoint.channel().shutdownNow());
        try {
            for (EtcdEndpoint endpoint : all) {
                endpoint.channel().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        io.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        callbacks.shutdown();
    }
}
