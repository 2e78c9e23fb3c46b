package io.keelson.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A long body takes the memory of a few pieces, however slowly they go. */
class PieceWriterTest {
    private static final int PIECES = 3 * PieceWriter.MAX_UNWRITTEN;

    private static final class Socket implements PieceWriter.Body {
        private final List<Promise<Void>> writes = new CopyOnWriteArrayList<>();
        private volatile boolean closed;

        @Override
        public Future<Void> write(byte[] piece) {
            Promise<Void> write = Promise.promise();
            writes.add(write);
            return write.future();
        }

        @Override
        public boolean closed() {
            return closed;
        }
    }

    private final Socket socket = new Socket();
    private final PieceWriter writer = new PieceWriter(socket);
    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private final Thread thread = Thread.ofVirtual().unstarted(() -> result.complete(writer.write(pieces())));

    private Iterator<byte[]> pieces() {
        return Stream.generate(() -> new byte[made.incrementAndGet()])
                .limit(PIECES)
                .iterator();
    }

    @Test
    void makesNoPieceThatThereIsNoRoomFor() {
        thread.start();

        for (int written = 0; written + PieceWriter.MAX_UNWRITTEN < PIECES; written++) {
            int most = written + PieceWriter.MAX_UNWRITTEN;
            await().until(() -> socket.writes.size() == most && thread.getState() == Thread.State.WAITING);
            assertThat(made).hasValueLessThanOrEqualTo(most + 1);
            socket.writes.get(written).complete();
        }

        assertThat(result.join()).isTrue();
        assertThat(socket.writes).hasSize(PIECES);
    }

    @Test
    void makesRoomByAWriteThatFails() {
        thread.start();

        await().until(() -> socket.writes.size() == PieceWriter.MAX_UNWRITTEN);
        socket.writes.getFirst().fail("reset");

        await().until(() -> socket.writes.size() == PieceWriter.MAX_UNWRITTEN + 1);
        socket.closed = true;
        writer.wake();
        assertThat(result.join()).isFalse();
    }

    @Test
    void givesUpWhenItsClientGoesWhileItWaits() {
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);

        socket.closed = true;
        writer.wake();

        assertThat(result.join()).isFalse();
        assertThat(socket.writes).hasSize(PieceWriter.MAX_UNWRITTEN);
    }
}
