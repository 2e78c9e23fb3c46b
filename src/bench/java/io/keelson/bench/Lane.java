package io.keelson.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A connection of {@link HttpLoop}: one request of HTTP/1.1 at a time, its answer given on in pieces as they arrive. All on
 * the loop's thread.
 */
final class Lane {
    /** Takes an answer. */
    interface Answer {
        default void head(int status) {}

        /** Bytes of the body, valid during the call. */
        default void body(byte[] bytes, int from, int to) {}

        default void end() {}

        /** The connection ended before the answer did. */
        default void broken() {}
    }

    private enum State {
        IDLE,
        HEAD,
        LENGTH,
        CHUNK_HEAD,
        CHUNK,
        CHUNK_TAIL,
        CLOSED
    }

    private static final int MAX_HEAD_BYTES = 64 * 1024;
    private static final Answer NOBODY = new Answer() {};

    private final SocketChannel channel;
    private final SelectionKey key;
    private State state = State.IDLE;
    private Answer answer = NOBODY;
    private @Nullable ByteBuffer unwritten;
    private byte[] head = new byte[512];
    private int headLength;
    private long left;
    private boolean lastChunk;

    /** @param receiveBuffer of the socket in bytes, 0 for the system's own choice */
    Lane(HttpLoop loop, InetSocketAddress address, int receiveBuffer) throws IOException {
        channel = SocketChannel.open();
        if (receiveBuffer > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
        }
        channel.connect(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = loop.register(channel, this);
    }

    /** Whether it takes a request. */
    boolean idle() {
        return state == State.IDLE;
    }

    /** Stops taking what the server sends. */
    void stall() {
        key.interestOps(0);
    }

    void request(byte[] bytes, Answer taker) {
        if (state != State.IDLE) {
            throw new IllegalStateException("a request while the lane is " + state);
        }
        state = State.HEAD;
        headLength = 0;
        answer = taker;
        unwritten = ByteBuffer.wrap(bytes);
        try {
            write();
        } catch (IOException e) {
            close();
        }
    }

    void ready(byte[] buffer, ByteBuffer wrapped) {
        try {
            if (key.isValid() && key.isWritable()) {
                write();
            }
            if (key.isValid() && key.isReadable()) {
                read(buffer, wrapped);
            }
        } catch (IOException e) {
            close();
        }
    }

    private void write() throws IOException {
        ByteBuffer bytes = unwritten;
        if (bytes != null) {
            channel.write(bytes);
            boolean rest = bytes.hasRemaining();
            key.interestOps(rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            unwritten = rest ? bytes : null;
        }
    }

    private void read(byte[] buffer, ByteBuffer wrapped) throws IOException {
        wrapped.clear();
        int length = channel.read(wrapped);
        wrapped.flip();
        if (length < 0) {
            close();
            return;
        }
        wrapped.get(buffer, 0, length);
        int at = 0;
        while (at < length && state != State.CLOSED) {
            at = switch (state) {
                case HEAD -> readHead(buffer, at, length);
                case LENGTH -> readBody(buffer, at, length, State.IDLE);
                case CHUNK_HEAD -> readChunkHead(buffer, at, length);
                case CHUNK -> readBody(buffer, at, length, State.CHUNK_TAIL);
                case CHUNK_TAIL -> skipChunkTail(buffer, at);
                case IDLE, CLOSED -> throw new IOException("bytes that nobody asked for");
            };
        }
    }

    private int readHead(byte[] buffer, int from, int to) throws IOException {
        for (int at = from; at < to; at++) {
            append(buffer[at]);
            if (headLength >= 4 && head[headLength - 1] == '\n' && head[headLength - 3] == '\n') {
                beginBody();
                return at + 1;
            }
        }
        return to;
    }

    private void append(byte b) throws IOException {
        if (headLength == head.length) {
            if (headLength >= MAX_HEAD_BYTES) {
                throw new IOException("a head of more than " + MAX_HEAD_BYTES + " bytes");
            }
            head = Arrays.copyOf(head, 2 * headLength);
        }
        head[headLength++] = b;
    }

    private void beginBody() {
        String text = new String(head, 0, headLength, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        headLength = 0;
        answer.head(Integer.parseInt(text, 9, 12, 10));
        int at = text.indexOf("\ncontent-length:");
        if (at >= 0) {
            left = Long.parseLong(
                    text.substring(at + 16, text.indexOf('\r', at + 1)).strip());
            state = State.LENGTH;
            endIfComplete();
        } else {
            state = State.CHUNK_HEAD;
        }
    }

    private int readBody(byte[] buffer, int from, int to, State then) {
        int end = (int) Math.min(to, from + left);
        left -= end - from;
        answer.body(buffer, from, end);
        if (state == State.LENGTH) {
            endIfComplete();
        } else if (left == 0) {
            state = then;
        }
        return end;
    }

    private void endIfComplete() {
        if (left == 0) {
            end();
        }
    }

    private void end() {
        state = State.IDLE;
        Answer ended = answer;
        answer = NOBODY;
        ended.end();
    }

    private int readChunkHead(byte[] buffer, int from, int to) throws IOException {
        for (int at = from; at < to; at++) {
            if (buffer[at] == '\n') {
                String size = new String(head, 0, headLength, StandardCharsets.ISO_8859_1).strip();
                headLength = 0;
                left = Long.parseLong(size, 16);
                state = left == 0 ? State.CHUNK_TAIL : State.CHUNK;
                lastChunk = left == 0;
                return at + 1;
            }
            append(buffer[at]);
        }
        return to;
    }

    private int skipChunkTail(byte[] buffer, int at) {
        if (buffer[at] == '\n') {
            if (lastChunk) {
                lastChunk = false;
                end();
            } else {
                state = State.CHUNK_HEAD;
            }
        }
        return at + 1;
    }

    void close() {
        if (state == State.CLOSED) {
            return;
        }
        boolean waiting = state != State.IDLE;
        state = State.CLOSED;
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
        if (waiting) {
            answer.broken();
        }
    }
}
