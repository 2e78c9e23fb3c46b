package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes leases and deletes the keys of those that have ended. A lease ends at a time, not after a duration, so that it
 * goes on ageing while the store is closed. Looks twice a second at the clock, and at the disk only where a lease ends.
 */
final class Leases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);
    private static final long LOOK_MILLIS = 500;

    /** The most keys deleted in one commit, so that writers need not wait long for it. */
    private static final int MAX_KEYS_PER_COMMIT = 500;

    private final Committer committer;
    private final InstantSource clock;
    private final AtomicLong nextExpiryMillis = new AtomicLong(0);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("embedded-leases").factory());

    Leases(Committer committer, InstantSource clock) {
        this.committer = committer;
        this.clock = clock;
    }

    void start() {
        var _ = timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** @return the lease's id, never used before in this store */
    long grant(long ttlSeconds) {
        if (ttlSeconds < 1) {
            throw new StorageException.BadRequest("a lease lives at least a second, not " + ttlSeconds);
        }
        long expiresAt = Math.addExact(clock.millis(), Math.multiplyExact(ttlSeconds, 1000L));
        long id = committer.commit(session -> {
            session.update("INSERT INTO lease (expires_at) VALUES (?)", expiresAt);
            return Database.number(session.connection(), "SELECT last_insert_rowid()");
        });
        nextExpiryMillis.accumulateAndGet(expiresAt, Math::min);
        return id;
    }

    private void look() {
        try {
            while (nextExpiryMillis.get() <= clock.millis()) {
                long now = clock.millis();
                // What is granted meanwhile lowers this again.
                nextExpiryMillis.set(Long.MAX_VALUE);
                long next = committer.commit(session -> expire(session, now));
                nextExpiryMillis.accumulateAndGet(next, Math::min);
            }
        } catch (StorageException e) {
            nextExpiryMillis.set(0);
            LOG.debug("Ended leases stay for now: {}", e.getMessage());
        } catch (RuntimeException e) {
            nextExpiryMillis.set(0);
            LOG.error("Ended leases could not be removed", e);
        }
    }

    /** Deletes some keys of a lease that has ended, and returns when to look again. */
    private static long expire(WriteSession session, long now) throws SQLException {
        long lease = ended(session, now);
        if (lease != 0) {
            List<Bound> keys = keysOf(session, lease);
            for (Bound bound : keys) {
                var _ = session.delete(bound.key(), bound.revision());
            }
            if (keys.size() < MAX_KEYS_PER_COMMIT) {
                session.update("DELETE FROM lease WHERE id = ?", lease);
            }
        }
        try (PreparedStatement query = session.connection().prepareStatement("SELECT MIN(expires_at) FROM lease");
                ResultSet row = query.executeQuery()) {
            long next = row.next() ? row.getLong(1) : 0;
            return row.wasNull() ? Long.MAX_VALUE : next;
        }
    }

    private static long ended(WriteSession session, long now) throws SQLException {
        try (PreparedStatement query = session.connection()
                .prepareStatement("SELECT id FROM lease WHERE expires_at <= ? ORDER BY expires_at LIMIT 1")) {
            query.setLong(1, now);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private record Bound(String key, long revision) {}

    private static List<Bound> keysOf(WriteSession session, long lease) throws SQLException {
        // "lease <> 0" lets the index of bound keys be used; older writes of a key are in it as well.
        try (PreparedStatement query = session.connection()
                .prepareStatement("SELECT kv.key, kv.revision FROM kv INDEXED BY kv_by_lease CROSS JOIN latest"
                        + " ON latest.key = kv.key AND latest.revision = kv.revision"
                        + " WHERE kv.lease = ? AND kv.lease <> 0 LIMIT ?")) {
            query.setLong(1, lease);
            query.setInt(2, MAX_KEYS_PER_COMMIT);
            List<Bound> keys = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    keys.add(new Bound(row.getString(1), row.getLong(2)));
                }
            }
            return keys;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
