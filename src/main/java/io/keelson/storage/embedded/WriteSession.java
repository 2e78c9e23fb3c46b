package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore.WriteResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the open transaction, of which each makes the next revision. Only for the committer's thread.
 *
 * <p>A method that throws {@link StorageException} has changed nothing; one that throws {@link SQLException} leaves a
 * transaction that must be rolled back.
 */
final class WriteSession implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement find;
    private final PreparedStatement insert;
    private final PreparedStatement addLatest;
    private final PreparedStatement moveLatest;
    private final PreparedStatement removeLatest;
    private final PreparedStatement hasLease;
    private List<KvEvent> events = new ArrayList<>();
    private long revision;
    private long committedRevision;

    WriteSession(Connection connection) throws SQLException {
        this.connection = connection;
        find = connection.prepareStatement("SELECT kv.value, kv.create_revision, kv.revision, kv.version, kv.lease"
                + " FROM latest CROSS JOIN kv ON kv.revision = latest.revision WHERE latest.key = ?");
        insert = connection.prepareStatement(
                "INSERT INTO kv (revision, key, create_revision, previous_revision, version, lease, value)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)");
        addLatest = connection.prepareStatement("INSERT INTO latest (revision, key) VALUES (?, ?)");
        moveLatest = connection.prepareStatement("UPDATE latest SET revision = ? WHERE key = ?");
        removeLatest = connection.prepareStatement("DELETE FROM latest WHERE key = ?");
        hasLease = connection.prepareStatement("SELECT 1 FROM lease WHERE id = ?");
        revision = Math.max(ReadSession.INITIAL_REVISION, Database.number(connection, "SELECT MAX(revision) FROM kv"));
        committedRevision = revision;
    }

    Connection connection() {
        return connection;
    }

    /** The revision of the last change so far. */
    long revision() {
        return revision;
    }

    WriteResult put(String key, byte[] value, long expectedModRevision, long lease) throws SQLException {
        if (lease != 0 && !leaseExists(lease)) {
            throw new StorageException.Internal("requested lease not found: " + lease, null);
        }
        KeyValue current = find(key);
        if ((current == null ? 0 : current.modRevision()) != expectedModRevision) {
            return new WriteResult(false, revision, current);
        }
        revision++;
        if (current == null) {
            insert(key, revision, 0, 1, lease, value);
            setLatest(addLatest, key);
        } else {
            insert(key, current.createRevision(), current.modRevision(), current.version() + 1, lease, value);
            setLatest(moveLatest, key);
        }
        events.add(new KvEvent(key, value, current, revision));
        return new WriteResult(true, revision, null);
    }

    WriteResult delete(String key, long expectedModRevision) throws SQLException {
        KeyValue current = find(key);
        if (current == null || current.modRevision() != expectedModRevision) {
            return new WriteResult(false, revision, current);
        }
        revision++;
        insert(key, 0, current.modRevision(), 0, 0, null);
        removeLatest.setString(1, key);
        removeLatest.executeUpdate();
        events.add(new KvEvent(key, null, current, revision));
        return new WriteResult(true, revision, null);
    }

    private @Nullable KeyValue find(String key) throws SQLException {
        find.setString(1, key);
        try (ResultSet row = find.executeQuery()) {
            return row.next()
                    ? new KeyValue(
                            key,
                            ReadSession.bytes(row, 1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5))
                    : null;
        }
    }

    private boolean leaseExists(long lease) throws SQLException {
        hasLease.setLong(1, lease);
        try (ResultSet row = hasLease.executeQuery()) {
            return row.next();
        }
    }

    private void insert(
            String key, long createRevision, long previousRevision, long version, long lease, byte @Nullable [] value)
            throws SQLException {
        insert.setLong(1, revision);
        insert.setString(2, key);
        insert.setLong(3, createRevision);
        insert.setLong(4, previousRevision);
        insert.setLong(5, version);
        insert.setLong(6, lease);
        insert.setBytes(7, value);
        insert.executeUpdate();
    }

    private void setLatest(PreparedStatement statement, String key) throws SQLException {
        statement.setLong(1, revision);
        statement.setString(2, key);
        statement.executeUpdate();
    }

    /** A number kept by name, 0 where none is. */
    long meta(String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT value FROM meta WHERE name = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    void setMeta(String name, long value) throws SQLException {
        update("INSERT OR REPLACE INTO meta (value, name) VALUES (?, ?)", value, name);
    }

    /** Runs a statement that is needed too seldom to be kept prepared. */
    void update(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            statement.executeUpdate();
        }
    }

    /** Runs a pragma that works in steps to its end; a prepared one would do the first step only. */
    void pragma(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Makes the changes durable and returns their events, in order of revision. */
    List<KvEvent> commit() throws SQLException {
        connection.commit();
        committedRevision = revision;
        List<KvEvent> committed = events;
        events = new ArrayList<>();
        return committed;
    }

    /** Undoes the changes. The session is of no use after it. */
    void rollback() throws SQLException {
        revision = committedRevision;
        events = new ArrayList<>();
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
