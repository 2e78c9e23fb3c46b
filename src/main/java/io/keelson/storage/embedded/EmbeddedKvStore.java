package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import io.keelson.storage.kv.StoreStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link KvStore} in this process: SQLite in a folder of its own, or in memory. A write that was acknowledged is on the
 * disk. Reads see committed states only, and a read never shows less than one before it did.
 *
 * <p>After a failure of the disk reads go on, while writes and {@link #status} throw Unreachable with the reason. In
 * memory, reads and writes share the one connection and take turns.
 */
public final class EmbeddedKvStore implements KvStore {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKvStore.class);
    private static final int MAX_READERS = 8;
    private static final int MIN_READERS = 2;
    private static final int MAX_HISTORY_EVENTS = 500;
    private static final long MAX_HISTORY_BYTES = 8L << 20;

    private final String member;
    private final @Nullable DataFolder folder;
    private final WriteSession writes;
    private final ReadSessions reads;
    private final Committer committer;
    private final WatchHub hub;
    private final Compaction compaction;
    private final Leases leases;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The latest revision that anyone was told. A reader may see a commit before the committer announces it. */
    private final AtomicLong revision;

    private EmbeddedKvStore(EmbeddedOptions options, @Nullable DataFolder folder) throws SQLException {
        this.folder = folder;
        this.member = folder == null ? options.path() : folder.database().toString();
        var database = new Database(folder == null ? null : folder.database());
        Connection writer = database.connectWriter();
        writes = new WriteSession(writer);
        reads = new ReadSessions(readSessions(database, writer));
        revision = new AtomicLong(writes.revision());
        hub = new WatchHub(this::readHistory, revision::get);
        committer = new Committer(writes, database.inMemory() ? reads : null, this::announce);
        compaction = new Compaction(committer, reads, writes);
        leases = new Leases(committer, options.clock());
        writer.commit();
    }

    /**
     * Opens the store of a folder and makes it where there is none.
     *
     * @throws DataFolderLockedException where another process, or another store of this one, has the folder
     * @throws StorageException.Unreachable where the folder or the database cannot be used
     */
    public static EmbeddedKvStore open(EmbeddedOptions options) {
        DataFolder folder = options.inMemory() ? null : DataFolder.lock(options.path());
        try {
            var store = new EmbeddedKvStore(options, folder);
            store.start();
            return store;
        } catch (SQLException e) {
            release(folder);
            throw new StorageException.Unreachable(
                    "cannot open the database in " + options.path() + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            release(folder);
            throw e;
        }
    }

    private static void release(@Nullable DataFolder folder) {
        if (folder != null) {
            folder.close();
        }
    }

    private void start() {
        committer.start();
        compaction.start();
        leases.start();
    }

    private static List<ReadSession> readSessions(Database database, Connection writer) throws SQLException {
        List<ReadSession> sessions = new ArrayList<>();
        if (database.inMemory()) {
            sessions.add(new ReadSession(writer));
        } else {
            int readers = Math.clamp(Runtime.getRuntime().availableProcessors(), MIN_READERS, MAX_READERS);
            for (int i = 0; i < readers; i++) {
                sessions.add(new ReadSession(database.connectReader()));
            }
        }
        return sessions;
    }

    private void announce(List<KvEvent> events, long committed) {
        revision.accumulateAndGet(committed, Math::max);
        hub.committed(events, committed);
    }

    /** Notes a revision that a read is about to tell, so that nobody is told an older one afterwards. */
    private long told(long seen) {
        revision.accumulateAndGet(seen, Math::max);
        return seen;
    }

    @Override
    public GetResult get(String key) {
        GetResult result = reads.read(session -> session.get(key));
        var _ = told(result.revision());
        return result;
    }

    @Override
    public RangeResult range(String start, String end, long asOf, int limit) {
        if (limit <= 0 || limit > MAX_RANGE) {
            throw new StorageException.BadRequest("a range has a limit of 1 to " + MAX_RANGE + ", not " + limit);
        }
        return reads.read(session -> range(session, start, end, asOf, limit));
    }

    private RangeResult range(ReadSession session, String start, String end, long asOf, int limit) throws SQLException {
        long now = told(session.revision());
        if (asOf > now) {
            throw new StorageException.TooLargeResourceVersion(asOf, now);
        }
        refuseCompacted(asOf == 0 ? now : asOf);
        boolean latest = asOf == 0 || asOf == now;
        List<KeyValue> kvs = latest ? session.range(start, end, limit) : session.rangeAt(start, end, asOf, limit);
        long count = kvs.size();
        if (count == limit) {
            count = latest ? session.count(start, end) : session.countAt(start, end, asOf);
        }
        return new RangeResult(kvs, now, count, count > kvs.size());
    }

    /** To be called when the state to read is fixed: then it is whole, even if the compaction begins just now. */
    private void refuseCompacted(long asOf) {
        long compacted = compaction.revision();
        if (asOf < compacted) {
            throw new StorageException.Expired(
                    "mvcc: required revision has been compacted: revision " + asOf + ", the oldest is " + compacted);
        }
    }

    @Override
    public long count(String start, String end) {
        return reads.read(session -> session.count(start, end));
    }

    @Override
    public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return committer.commit(session -> session.put(key, value, expectedModRevision, lease));
    }

    @Override
    public WriteResult delete(String key, long expectedModRevision) {
        return committer.commit(session -> session.delete(key, expectedModRevision));
    }

    @Override
    public long currentRevision() {
        return revision.get();
    }

    @Override
    public long grantLease(long ttlSeconds) {
        return leases.grant(ttlSeconds);
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        if (startRevision < 1) {
            throw new StorageException.BadRequest("a watch starts at revision 1 or later, not " + startRevision);
        }
        return hub.watch(start, end, startRevision, sink);
    }

    private ReadSession.EventPage readHistory(EmbeddedWatch.Scope scope, long from, long to) {
        return reads.read(session -> {
            ReadSession.EventPage page =
                    session.events(scope.start(), scope.end(), from, to, MAX_HISTORY_EVENTS, MAX_HISTORY_BYTES);
            refuseCompacted(from);
            return page;
        });
    }

    @Override
    public void requestProgress() {
        hub.requestProgress();
    }

    @Override
    public boolean supportsProgress() {
        return true;
    }

    @Override
    public void compact(long to) {
        compaction.compact(to);
    }

    @Override
    public long compactRevision() {
        return compaction.revision();
    }

    @Override
    public StoreStatus status() {
        String refusal = committer.refusal();
        if (refusal != null) {
            throw new StorageException.Unreachable(refusal, null);
        }
        return reads.read(session -> new StoreStatus(
                "embedded",
                session.engineVersion(),
                List.of(member),
                member,
                session.databaseBytes(),
                told(session.revision())));
    }

    /** For tests in this package: the thread that writes. */
    Committer committer() {
        return committer;
    }

    /** Commits the writes that wait, ends the watches and gives the folder free. Harmless when repeated. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        leases.close();
        compaction.close();
        committer.close();
        hub.close();
        reads.close();
        try {
            writes.close();
        } catch (SQLException e) {
            LOG.warn("The database was not closed cleanly, which costs nothing but time: {}", e.getMessage());
        }
        release(folder);
    }
}
