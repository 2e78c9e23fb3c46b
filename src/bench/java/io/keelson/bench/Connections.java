package io.keelson.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Waits for servers to listen. */
final class Connections {
    private static final int TRIES = 600;
    private static final int PAUSE_MILLIS = 50;

    private Connections() {}

    static void await(int port, Process process) {
        for (int i = 0; i < TRIES && process.isAlive(); i++) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                pause();
            }
        }
        throw new IllegalStateException("nothing listens on port " + port);
    }

    static void pause() {
        pause(PAUSE_MILLIS);
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
