package io.keelson.endpoints;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.concurrent.Semaphore;

/**
 * Writes a long body piece by piece: the next piece is made when an earlier one has reached the socket, so that a body
 * takes the memory of a few pieces, however long it is and however slowly its client reads. Whether the write queue is
 * full does not tell that to a thread that is not the event loop's, since the queue does not count what still waits for the loop.
 */
final class PieceWriter {
    /** How many pieces may be on their way to the socket, so that the thread and the event loop need not wait for each other. */
    static final int MAX_UNWRITTEN = 4;

    /** Where the pieces go; used from the writing thread. */
    interface Body {
        /** Completes when the piece has reached the socket, or cannot any more. */
        Future<Void> write(byte[] piece);

        boolean closed();
    }

    private final Body body;
    private final Semaphore room = new Semaphore(MAX_UNWRITTEN);

    PieceWriter(Body body) {
        this.body = body;
    }

    /** The client has gone: a thread that waits for room looks whether the body is closed. From any thread. */
    void wake() {
        room.release();
    }

    /** Writes on a thread that may block; returns whether all was written before the body was closed. */
    boolean write(Iterator<byte[]> pieces) {
        while (pieces.hasNext()) {
            room.acquireUninterruptibly();
            if (body.closed()) {
                return false;
            }
            body.write(pieces.next()).onComplete(written -> room.release());
        }
        return true;
    }
}
