package io.keelson.testing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects what a child process prints, so that it never blocks on a full pipe. Keeps the last
 * {@link #MAX_CHARS} characters. Safe for use by several threads.
 */
final class OutputBuffer {

    static final int MAX_CHARS = 1 << 20;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final StringBuilder text = new StringBuilder();

    /** Starts a thread that reads the stream to its end; it ends with the process that writes. */
    Thread readFrom(InputStream stream) {
        return Thread.ofVirtual().start(() -> pump(stream));
    }

    private void pump(InputStream stream) {
        try (var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            char[] chunk = new char[8192];
            for (int n = reader.read(chunk); n >= 0; n = reader.read(chunk)) {
                append(chunk, n);
            }
        } catch (IOException e) {
            // A killed process closes its pipe in the middle; what it had printed is kept.
            return;
        }
    }

    private void append(char[] chunk, int length) {
        lock.lock();
        try {
            text.append(chunk, 0, length);
            if (text.length() > MAX_CHARS) {
                text.delete(0, text.length() - MAX_CHARS);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return text.toString();
        } finally {
            lock.unlock();
        }
    }
}
