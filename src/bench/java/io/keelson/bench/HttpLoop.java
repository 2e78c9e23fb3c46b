package io.keelson.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of HTTP/1.1 on one thread, the caller's: it shares the machine's cores with the server that is measured, so it
 * does little more than the system calls. Everything happens inside {@link #run}.
 */
final class HttpLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    /** How long the thread sleeps at most before it looks at {@link #run}'s condition again, in milliseconds. */
    private static final int LOOK_MILLIS = 20;

    private final InetSocketAddress address;
    private final String host;
    private final Selector selector;
    private final ByteBuffer wrapped = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final List<Lane> lanes = new ArrayList<>();
    private @Nullable Pacer pacer;

    /** Something that is due at times rather than with answers. */
    interface Pacer {
        /** Does what is due; returns the nanoseconds until it is to be called again. */
        long run(long now);
    }

    HttpLoop(URI server) {
        this.host = server.getHost() + ":" + server.getPort();
        this.address = new InetSocketAddress(server.getHost(), server.getPort());
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SelectionKey register(SocketChannel channel, Lane lane) throws IOException {
        return channel.register(selector, SelectionKey.OP_READ, lane);
    }

    Lane lane() {
        return lane(0);
    }

    /** @param receiveBuffer of the socket in bytes, 0 for the system's own choice */
    Lane lane(int receiveBuffer) {
        try {
            var lane = new Lane(this, address, receiveBuffer);
            lanes.add(lane);
            return lane;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + host, e);
        }
    }

    List<Lane> lanes(int count) {
        var made = new ArrayList<Lane>(count);
        for (int i = 0; i < count; i++) {
            made.add(lane());
        }
        return made;
    }

    void pace(@Nullable Pacer next) {
        pacer = next;
    }

    /** Serves all lanes until a condition holds or a time is over; returns whether it holds. */
    boolean run(BooleanSupplier done, double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        try {
            while (!done.getAsBoolean()) {
                long now = System.nanoTime();
                if (now - deadline >= 0) {
                    return false;
                }
                Pacer due = pacer;
                long wait = due == null ? Long.MAX_VALUE : due.run(now);
                long millis = Math.min(LOOK_MILLIS, wait / 1_000_000);
                if (millis > 0) {
                    selector.select(millis);
                } else {
                    selector.selectNow();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.attachment() instanceof Lane lane) {
                        wrapped.clear();
                        lane.ready(buffer, wrapped);
                    }
                }
                selector.selectedKeys().clear();
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] get(String path) {
        return head("GET", path, "").getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] get(String path, String accept) {
        return head("GET", path, "Accept: " + accept + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] send(String method, String path, String contentType, byte[] body) {
        String fields = "Content-Type: " + contentType + "\r\nContent-Length: " + body.length + "\r\n";
        byte[] head = head(method, path, fields).getBytes(StandardCharsets.ISO_8859_1);
        var request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private String head(String method, String path, String fields) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
    }

    @Override
    public void close() {
        lanes.forEach(Lane::close);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
