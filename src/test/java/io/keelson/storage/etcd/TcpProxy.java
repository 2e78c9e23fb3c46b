package io.keelson.storage.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes TCP connections on to a server and spoils them on demand. {@link #swallowAnswers} lets requests through and
 * drops what the server answers, {@link #cut} breaks all connections, {@link #refuse} breaks new ones at once.
 */
final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final int target;
    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean swallowing;
    private volatile boolean refusing;
    private final AtomicLong swallowed = new AtomicLong();

    static TcpProxy to(int port) {
        try {
            return new TcpProxy(port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TcpProxy(int target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    String endpoint() {
        return "http://127.0.0.1:" + port();
    }

    /** From now on drops what the server sends, until {@link #heal}. */
    void swallowAnswers() {
        swallowing = true;
    }

    /** How many bytes of answers were dropped since the start. */
    long swallowed() {
        return swallowed.get();
    }

    void refuse() {
        refusing = true;
        cut();
    }

    void heal() {
        swallowing = false;
        refusing = false;
    }

    void cut() {
        sockets.forEach(TcpProxy::closeQuietly);
        sockets.clear();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (refusing) {
                    closeQuietly(client);
                    continue;
                }
                sockets.add(client);
                Socket server = connect(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> pump(client, server, false));
                Thread.ofVirtual().start(() -> pump(server, client, true));
            } catch (IOException e) {
                // The listener is closed, or the server is away: the client sees its connection end.
            }
        }
    }

    private Socket connect(Socket client) throws IOException {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            closeQuietly(client);
            throw e;
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (answers && swallowing) {
                    swallowed.addAndGet(n);
                } else {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            // One side broke; the other is closed below.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
