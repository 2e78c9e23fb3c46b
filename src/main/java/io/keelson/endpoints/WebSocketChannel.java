package io.keelson.endpoints;

import io.vertx.core.http.ServerWebSocket;
import java.nio.charset.StandardCharsets;

/** Events as the text messages of a WebSocket, one each. What the client sends is ignored. */
final class WebSocketChannel implements EventChannel {
    private final ServerWebSocket socket;

    WebSocketChannel(ServerWebSocket socket) {
        this.socket = socket;
    }

    @Override
    public boolean full() {
        return socket.writeQueueFull();
    }

    @Override
    public void onDrain(Runnable callback) {
        socket.drainHandler(drained -> callback.run());
    }

    @Override
    public void write(byte[]... frames) {
        for (byte[] frame : frames) {
            var _ = socket.writeTextMessage(new String(frame, StandardCharsets.UTF_8));
        }
    }

    @Override
    public void end() {
        if (!socket.isClosed()) {
            var _ = socket.close();
        }
    }

    @Override
    public void onClose(Runnable callback) {
        socket.exceptionHandler(broken -> callback.run());
        socket.closeHandler(gone -> callback.run());
    }
}
