package io.keelson.storage.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/**
 * Opens connections to the database and makes its tables.
 *
 * <ul>
 *   <li>{@code kv}: every write, by its revision; version 0 and no value is a deletion. What a later write replaced stays
 *       until compaction. The row of the latest write always stays, so the highest revision is the store's.
 *   <li>{@code latest}: the keys that exist, with the revision of their last write. Without it, counting or listing would
 *       cost in proportion to the history.
 *   <li>{@code lease}: when leases end, in milliseconds of the epoch.
 *   <li>{@code meta}: numbers by name.
 * </ul>
 *
 * <p>No connection commits by itself: whoever uses one ends its transaction.
 */
final class Database {
    private static final int SCHEMA_VERSION = 1;
    private static final int WRITER_CACHE_KIB = 8 * 1024;
    private static final int READER_CACHE_KIB = 2 * 1024;
    private static final int BUSY_TIMEOUT_MILLIS = 10_000;

    /** 16 MiB of log: a checkpoint syncs twice, so that it must not come with every few commits. */
    private static final int CHECKPOINT_PAGES = 4_000;

    private static final List<String> SCHEMA = List.of(
            """
            CREATE TABLE kv (
              revision INTEGER PRIMARY KEY,
              key TEXT NOT NULL,
              create_revision INTEGER NOT NULL,
              previous_revision INTEGER NOT NULL,
              version INTEGER NOT NULL,
              lease INTEGER NOT NULL,
              value BLOB
            ) STRICT
            """,
            "CREATE INDEX kv_by_key ON kv (key, revision)",
            "CREATE INDEX kv_by_lease ON kv (lease) WHERE lease <> 0",
            "CREATE TABLE latest (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID",
            "CREATE TABLE lease (id INTEGER PRIMARY KEY AUTOINCREMENT, expires_at INTEGER NOT NULL) STRICT",
            "CREATE INDEX lease_by_expiry ON lease (expires_at)",
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
            "PRAGMA user_version = " + SCHEMA_VERSION);

    private final @Nullable Path file;

    /** @param file null for a database in memory, of which every connection would be another */
    Database(@Nullable Path file) {
        this.file = file;
    }

    boolean inMemory() {
        return file == null;
    }

    /** The connection that writes, with the tables made. */
    Connection connectWriter() throws SQLException {
        Connection connection = connect();
        try {
            // Before the first table, or it has no effect.
            execute(connection, "PRAGMA auto_vacuum = INCREMENTAL");
            if (inMemory()) {
                execute(connection, "PRAGMA journal_mode = MEMORY");
            } else {
                execute(connection, "PRAGMA journal_mode = WAL");
                execute(connection, "PRAGMA synchronous = FULL");
                execute(connection, "PRAGMA fullfsync = 1");
                execute(connection, "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
                execute(connection, "PRAGMA journal_size_limit = " + CHECKPOINT_PAGES * 4096L);
                execute(connection, "PRAGMA cache_size = -" + WRITER_CACHE_KIB);
            }
            connection.setAutoCommit(false);
            makeTables(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Connection connectReader() throws SQLException {
        Connection connection = connect();
        execute(connection, "PRAGMA query_only = 1");
        execute(connection, "PRAGMA cache_size = -" + READER_CACHE_KIB);
        connection.setAutoCommit(false);
        return connection;
    }

    // DriverManager finds no driver in a native executable.
    private Connection connect() throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        return JDBC.createConnection("jdbc:sqlite:" + (file == null ? ":memory:" : file), config.toProperties());
    }

    private static void makeTables(Connection connection) throws SQLException {
        long version = number(connection, "PRAGMA user_version");
        if (version == SCHEMA_VERSION) {
            return;
        }
        if (version != 0) {
            throw new SQLException("the database has the format " + version + ", this program knows " + SCHEMA_VERSION);
        }
        for (String statement : SCHEMA) {
            execute(connection, statement);
        }
        connection.commit();
    }

    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            var _ = statement.execute(sql);
        }
    }
}
