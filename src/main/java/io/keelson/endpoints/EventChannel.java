package io.keelson.endpoints;

/** Where a stream of events goes: an HTTP response or a WebSocket. Used on its event loop only. */
interface EventChannel {
    /** Whether the client takes less than it is sent, so that it is time to wait. */
    boolean full();

    /** Runs the callback, once, when the channel is not full any more. */
    void onDrain(Runnable callback);

    /** Writes one or several frames, which must not change any more. */
    void write(byte[]... frames);

    void end();

    /** Runs the callback when the client has gone or the channel has ended. */
    void onClose(Runnable callback);
}
