package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few connections that reads share: SQLite serves a read from memory, so that more of them than processors would
 * only cost memory. Thread-safe.
 */
final class ReadSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadSessions.class);
    private static final long WAIT_SECONDS = 10;

    /** What is done with a session. */
    @FunctionalInterface
    interface Read<T> {
        T read(ReadSession session) throws SQLException;
    }

    private final List<ReadSession> all;
    private final BlockingQueue<ReadSession> free;
    private volatile boolean closed;

    ReadSessions(List<ReadSession> sessions) {
        all = List.copyOf(sessions);
        free = new ArrayBlockingQueue<>(all.size(), true, all);
    }

    /**
     * Runs a read on one state of the database.
     *
     * @throws StorageException.Timeout where all sessions stay in use
     * @throws StorageException.Unreachable where the database cannot be read
     */
    <T> T read(Read<T> read) {
        ReadSession session = take();
        try {
            return readAndEnd(session, read);
        } catch (SQLException e) {
            throw new StorageException.Unreachable("the embedded store cannot be read: " + e.getMessage(), e);
        } finally {
            give(session);
        }
    }

    private static <T> T readAndEnd(ReadSession session, Read<T> read) throws SQLException {
        try {
            return read.read(session);
        } finally {
            session.end();
        }
    }

    ReadSession take() {
        if (closed) {
            throw new StorageException.Unreachable("the embedded store is closed", null);
        }
        try {
            ReadSession session = free.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            if (session == null) {
                throw new StorageException.Timeout("the embedded store is busy", null);
            }
            return session;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.Timeout("interrupted while waiting for the embedded store", e);
        }
    }

    void give(ReadSession session) {
        free.add(session);
    }

    /** Waits for the reads under way. */
    @Override
    public void close() {
        for (int i = 0; i < all.size(); i++) {
            try {
                take().close();
            } catch (SQLException | StorageException e) {
                LOG.warn("A connection of the embedded store was not closed: {}", e.getMessage());
            }
        }
        closed = true;
    }
}
