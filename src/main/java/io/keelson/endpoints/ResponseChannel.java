package io.keelson.endpoints;

import io.vertx.core.http.HttpServerResponse;

/** Events in the body of an HTTP response: chunks in HTTP/1.1, data frames in HTTP/2. */
final class ResponseChannel implements EventChannel {
    private final HttpServerResponse response;

    ResponseChannel(HttpServerResponse response) {
        this.response = response;
    }

    @Override
    public boolean full() {
        return response.writeQueueFull();
    }

    @Override
    public void onDrain(Runnable callback) {
        response.drainHandler(drained -> callback.run());
    }

    @Override
    public void write(byte[]... frames) {
        var _ = response.write(Buffers.wrap(frames));
    }

    @Override
    public void end() {
        if (!response.ended() && !response.closed()) {
            var _ = response.end();
        }
    }

    @Override
    public void onClose(Runnable callback) {
        response.exceptionHandler(gone -> callback.run());
        response.closeHandler(gone -> callback.run());
        response.endHandler(ended -> callback.run());
    }
}
