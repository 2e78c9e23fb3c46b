package io.keelson.storage.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets history. The compacted revision is written down first, which makes older ones refused; then the rows go in small
 * commits among the writers' own, and pages that became free go back to the file system. A compaction that a crash cut
 * short goes on when the store is opened.
 *
 * <p>A row goes when a later write up to the compacted revision has replaced it. The writes are gone through in order of
 * revision, each removing its predecessor: that needs no search. A deletion goes by itself, except one at the compacted
 * revision, which a watch from there still brings; it goes with the next compaction.
 */
final class Compaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);
    private static final String COMPACTED = "compacted_revision";
    private static final String CURSOR = "compaction_cursor";

    /** Some milliseconds of work, which is what a writer may have to wait for it. */
    private static final int ROWS_PER_COMMIT = 500;

    private static final int PAGES_PER_COMMIT = 500;

    /** Free pages are used by the next writes, so a part of the file may be free: one page in eight, and 256 more. */
    private static final int FREE_PAGES_KEPT = 256;

    private static final int FREE_PAGES_DIVISOR = 8;

    private final Committer committer;
    private final ReadSessions reads;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long revision;
    private volatile boolean closed;

    @GuardedBy("lock")
    private boolean working;

    /** Whether the one who works is to go over it once more. */
    @GuardedBy("lock")
    private boolean again;

    Compaction(Committer committer, ReadSessions reads, WriteSession session) throws SQLException {
        this.committer = committer;
        this.reads = reads;
        this.revision = session.meta(COMPACTED);
    }

    /** The compacted revision, 0 where there is none. A state that was fixed before it rose is whole all the same. */
    long revision() {
        return revision;
    }

    /** Goes on where a crash has stopped it. */
    void start() {
        if (revision > 0) {
            var _ = Thread.ofVirtual().name("embedded-compaction").start(() -> {
                try {
                    work();
                } catch (StorageException e) {
                    LOG.warn("The rest of a compaction is put off to the next one: {}", e.getMessage());
                }
            });
        }
    }

    /** Returns when the history is gone, or where another thread sees to that. */
    void compact(long to) {
        long compacted = committer.commit(session -> {
            if (to > session.revision()) {
                throw new StorageException.TooLargeResourceVersion(to, session.revision());
            }
            long before = session.meta(COMPACTED);
            if (to > before) {
                session.setMeta(COMPACTED, to);
            }
            return Math.max(to, before);
        });
        raise(compacted);
        work();
    }

    private void raise(long to) {
        lock.lock();
        try {
            revision = Math.max(revision, to);
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        if (!begin()) {
            return;
        }
        boolean done = false;
        try {
            while (!done) {
                workOnce();
                done = finish();
            }
        } finally {
            if (!done) {
                abandon();
            }
        }
    }

    private void workOnce() {
        while (!closed && committer.commit(session -> removeSome(session, revision))) {}
        while (!closed && committer.commit(Compaction::giveBackSome)) {}
        if (!closed) {
            reads.read(session -> {
                session.checkpoint();
                return true;
            });
        }
    }

    private boolean begin() {
        lock.lock();
        try {
            again = working;
            boolean free = !working;
            working = true;
            return free;
        } finally {
            lock.unlock();
        }
    }

    private boolean finish() {
        lock.lock();
        try {
            working = again && !closed;
            again = false;
            return !working;
        } finally {
            lock.unlock();
        }
    }

    private void abandon() {
        lock.lock();
        try {
            working = false;
        } finally {
            lock.unlock();
        }
    }

    private record Row(long revision, long previous, boolean deletion) {}

    /**
     * Removes what some more writes have replaced.
     *
     * @param to a compacted revision that readers know of already
     * @return whether there is more to do
     */
    private static boolean removeSome(WriteSession session, long to) throws SQLException {
        long from = session.meta(CURSOR);
        List<Row> rows = rows(session.connection(), from, to);
        try (PreparedStatement delete = session.connection().prepareStatement("DELETE FROM kv WHERE revision = ?")) {
            for (Row row : rows) {
                if (row.previous() > 0) {
                    delete.setLong(1, row.previous());
                    delete.executeUpdate();
                }
                if (row.deletion() && row.revision() < to) {
                    delete.setLong(1, row.revision());
                    delete.executeUpdate();
                }
            }
        }
        boolean more = rows.size() == ROWS_PER_COMMIT;
        long cursor = more ? rows.getLast().revision() + 1 : to;
        if (cursor != from) {
            session.setMeta(CURSOR, cursor);
        }
        return more;
    }

    private static List<Row> rows(Connection connection, long from, long to) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT revision, previous_revision, version FROM kv NOT INDEXED"
                        + " WHERE revision BETWEEN ? AND ? ORDER BY revision LIMIT ?")) {
            query.setLong(1, from);
            query.setLong(2, to);
            query.setInt(3, ROWS_PER_COMMIT);
            List<Row> rows = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(row.getLong(1), row.getLong(2), row.getLong(3) == 0));
                }
            }
            return rows;
        }
    }

    private static boolean giveBackSome(WriteSession session) throws SQLException {
        long free = Database.number(session.connection(), "PRAGMA freelist_count");
        long pages = Database.number(session.connection(), "PRAGMA page_count");
        long surplus = free - pages / FREE_PAGES_DIVISOR - FREE_PAGES_KEPT;
        if (surplus <= 0) {
            return false;
        }
        session.pragma("PRAGMA incremental_vacuum(" + Math.min(surplus, PAGES_PER_COMMIT) + ")");
        return surplus > PAGES_PER_COMMIT;
    }

    @Override
    public void close() {
        closed = true;
    }
}
