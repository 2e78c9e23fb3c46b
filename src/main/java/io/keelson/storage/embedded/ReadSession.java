package io.keelson.storage.embedded;

import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The questions that are asked of one connection, prepared. The first question after {@link #end} fixes the state that
 * all see until the next {@link #end}. For one thread at a time.
 */
final class ReadSession implements AutoCloseable {
    /** What etcd has before its first write; revision 0 means "any" to clients. */
    static final long INITIAL_REVISION = 1;

    private static final byte[] NO_BYTES = {};

    /**
     * With how many entries at most a range of keys is read by its keys; a larger one by revisions, whose way leads past the
     * writes of all other keys. A server of many kinds has many small ranges, and reads the history of each when it starts.
     */
    static final int FEW = 256;

    private static final String COLUMNS = "kv.key, kv.value, kv.create_revision, kv.revision, kv.version, kv.lease";
    private static final int COLUMN_COUNT = 6;

    private final Connection connection;
    private final PreparedStatement revision;
    private final PreparedStatement get;
    private final PreparedStatement range;
    private final PreparedStatement rangeAt;
    private final PreparedStatement count;
    private final PreparedStatement entries;
    private final PreparedStatement growthSince;
    private final PreparedStatement growthSinceOfFew;
    private final PreparedStatement events;
    private final PreparedStatement eventsOfFew;

    ReadSession(Connection connection) throws SQLException {
        this.connection = connection;
        revision = connection.prepareStatement("SELECT MAX(revision) FROM kv");
        get = connection.prepareStatement("SELECT " + COLUMNS + ", (SELECT MAX(revision) FROM kv) FROM (SELECT 1)"
                + " LEFT JOIN latest ON latest.key = ? LEFT JOIN kv ON kv.revision = latest.revision");
        range = connection.prepareStatement("SELECT " + COLUMNS
                + " FROM latest CROSS JOIN kv ON kv.revision = latest.revision"
                + " WHERE latest.key >= ? AND latest.key < ? ORDER BY latest.key LIMIT ?");
        rangeAt = connection.prepareStatement("SELECT " + COLUMNS + " FROM kv INDEXED BY kv_by_key"
                + " WHERE key >= ?1 AND key < ?2 AND revision <= ?3 AND NOT EXISTS (SELECT 1 FROM kv AS newer"
                + " WHERE newer.key = kv.key AND newer.revision > kv.revision AND newer.revision <= ?3)"
                + " AND version > 0 ORDER BY key LIMIT ?4");
        count = connection.prepareStatement("SELECT COUNT(*) FROM latest WHERE key >= ? AND key < ?");
        entries = connection.prepareStatement("SELECT COUNT(*) FROM (SELECT 1 FROM kv INDEXED BY kv_by_key"
                + " WHERE key >= ? AND key < ? LIMIT " + (FEW + 1) + ")");
        growthSince = connection.prepareStatement(growthSince("NOT INDEXED"));
        growthSinceOfFew = connection.prepareStatement(growthSince("INDEXED BY kv_by_key"));
        events = connection.prepareStatement(events("NOT INDEXED"));
        eventsOfFew = connection.prepareStatement(events("INDEXED BY kv_by_key"));
    }

    private static String growthSince(String index) {
        return "SELECT SUM(CASE version WHEN 1 THEN 1 WHEN 0 THEN -1 ELSE 0 END) FROM kv " + index
                + " WHERE revision > ? AND key >= ? AND key < ?";
    }

    private static String events(String index) {
        return "SELECT " + COLUMNS + ", " + COLUMNS.replace("kv.", "previous.") + " FROM kv " + index
                + " LEFT JOIN kv AS previous ON previous.revision = kv.previous_revision"
                + " WHERE kv.revision BETWEEN ? AND ? AND kv.key >= ? AND kv.key < ? ORDER BY kv.revision LIMIT ?";
    }

    private boolean hasFew(String start, String end) throws SQLException {
        entries.setString(1, start);
        entries.setString(2, end);
        return oneNumber(entries) <= FEW;
    }

    /** The store's revision in the state that is seen. */
    long revision() throws SQLException {
        return Math.max(INITIAL_REVISION, oneNumber(revision));
    }

    KvStore.GetResult get(String key) throws SQLException {
        get.setString(1, key);
        try (ResultSet row = get.executeQuery()) {
            var _ = row.next();
            return new KvStore.GetResult(keyValue(row, 0), Math.max(INITIAL_REVISION, row.getLong(COLUMN_COUNT + 1)));
        }
    }

    List<KeyValue> range(String start, String end, int limit) throws SQLException {
        range.setString(1, start);
        range.setString(2, end);
        range.setInt(3, limit);
        return keyValues(range);
    }

    List<KeyValue> rangeAt(String start, String end, long asOf, int limit) throws SQLException {
        rangeAt.setString(1, start);
        rangeAt.setString(2, end);
        rangeAt.setLong(3, asOf);
        rangeAt.setInt(4, limit);
        return keyValues(rangeAt);
    }

    long count(String start, String end) throws SQLException {
        count.setString(1, start);
        count.setString(2, end);
        return oneNumber(count);
    }

    /** How many keys there were: those of now without what the writes since then have added. */
    long countAt(String start, String end, long asOf) throws SQLException {
        PreparedStatement growth = hasFew(start, end) ? growthSinceOfFew : growthSince;
        growth.setLong(1, asOf);
        growth.setString(2, start);
        growth.setString(3, end);
        return count(start, end) - oneNumber(growth);
    }

    /**
     * The changes of a range of keys, in order of revision; fewer than the limit where their values are large.
     *
     * @param limit the most events
     * @param enoughBytes after how many bytes of values to stop
     */
    EventPage events(String start, String end, long from, long to, int limit, long enoughBytes) throws SQLException {
        PreparedStatement changes = hasFew(start, end) ? eventsOfFew : events;
        changes.setLong(1, from);
        changes.setLong(2, to);
        changes.setString(3, start);
        changes.setString(4, end);
        changes.setInt(5, limit);
        List<KvEvent> found = new ArrayList<>();
        long bytes = 0;
        try (ResultSet row = changes.executeQuery()) {
            while (bytes < enoughBytes && row.next()) {
                KvEvent event = event(row);
                bytes += sizeOf(event);
                found.add(event);
            }
        }
        boolean cutShort = found.size() == limit || bytes >= enoughBytes;
        return new EventPage(found, cutShort ? found.getLast().revision() + 1 : to + 1);
    }

    /**
     * Changes in order.
     *
     * @param next the first revision that was not looked at
     */
    record EventPage(List<KvEvent> events, long next) {}

    static long sizeOf(KvEvent event) {
        byte[] value = event.value();
        KeyValue previous = event.previous();
        return (value == null ? 0L : value.length) + (previous == null ? 0 : previous.value().length);
    }

    long databaseBytes() throws SQLException {
        return Database.number(connection, "PRAGMA page_count") * Database.number(connection, "PRAGMA page_size");
    }

    String engineVersion() throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sqlite_version()")) {
            return row.next() ? row.getString(1) : "";
        }
    }

    /** Moves what is in the log into the database file, as far as readers allow; writers go on meanwhile. */
    void checkpoint() throws SQLException {
        end();
        connection.setAutoCommit(true);
        try {
            Database.execute(connection, "PRAGMA wal_checkpoint(PASSIVE)");
        } finally {
            connection.setAutoCommit(false);
        }
    }

    /** Lets go of the state that was seen. */
    void end() throws SQLException {
        connection.commit();
    }

    private static long oneNumber(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static List<KeyValue> keyValues(PreparedStatement query) throws SQLException {
        List<KeyValue> found = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                KeyValue kv = keyValue(rows, 0);
                if (kv != null) {
                    found.add(kv);
                }
            }
        }
        return found;
    }

    private static KvEvent event(ResultSet row) throws SQLException {
        byte[] value = row.getLong(5) == 0 ? null : bytes(row, 2);
        return new KvEvent(row.getString(1), value, keyValue(row, COLUMN_COUNT), row.getLong(4));
    }

    private static @Nullable KeyValue keyValue(ResultSet row, int offset) throws SQLException {
        String key = row.getString(offset + 1);
        if (key == null) {
            return null;
        }
        return new KeyValue(
                key,
                bytes(row, offset + 2),
                row.getLong(offset + 3),
                row.getLong(offset + 4),
                row.getLong(offset + 5),
                row.getLong(offset + 6));
    }

    // The driver reads an empty value as null.
    static byte[] bytes(ResultSet row, int column) throws SQLException {
        byte[] value = row.getBytes(column);
        return value == null ? NO_BYTES : value;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
