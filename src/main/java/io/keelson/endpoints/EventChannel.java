package io.keelson.endpoints;

import io.netty.buffer.ByteBuf;

/** Where a stream of events goes: an HTTP response or a WebSocket. Used on its event loop only. */
interface EventChannel {
    /** Whether the client takes less than it is sent, so that it is time to wait. */
    boolean full();

    /** Runs the callback, once, when the channel is not full any more. */
    void onDrain(Runnable callback);

    /** Writes one or several frames. */
    void write(ByteBuf frames);

    /** Whether several frames may be written as one piece. */
    boolean joinsFrames();

    void end();

    /** Runs the callback when the client has gone or the channel has ended. */
    void onClose(Runnable callback);
}
