package io.keelson.storage.kv;

import io.keelson.storage.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lower seam: bytes under keys, with etcd's model. Every write makes one revision of the whole store; revisions only
 * rise. One instance serves all resources and is thread-safe; calls block.
 *
 * <p>Calls throw {@link StorageException}: Unreachable where nothing was sent, Timeout for a read without an answer,
 * UnknownOutcome for a write without one, Expired for a compacted revision, TooLargeResourceVersion for a future one.
 */
public interface KvStore extends AutoCloseable {
    /** The most keys in one {@link #range} answer, where no limit is given: callers page. */
    int MAX_RANGE = 10_000;

    /** Answer to {@link #get}: the key's state, null where absent, and the store's revision when it was read. */
    record GetResult(@Nullable KeyValue kv, long revision) {}

    /**
     * Answer to {@link #range}.
     *
     * @param revision the store's revision when it was read (also where an older one was asked for)
     * @param count how many keys the whole range holds at the asked revision, whatever the limit
     * @param more whether the limit cut the range short
     */
    record RangeResult(List<KeyValue> kvs, long revision, long count, boolean more) {}

    /**
     * Answer to a conditional write.
     *
     * @param revision where it succeeded the revision that it made, else the store's revision
     * @param current where it failed the key's present state, null where absent
     */
    record WriteResult(
            boolean succeeded, long revision, @Nullable KeyValue current) {}

    /** The state of one key, by a linearizable read where the store knows others and {@code quorum} is on. */
    GetResult get(String key);

    /**
     * The keys in {@code start <= key < end}, sorted.
     *
     * @param revision the revision to look at, 0 for the latest
     * @param limit the most keys to return, {@code 0 < limit <= MAX_RANGE}
     */
    RangeResult range(String start, String end, long revision, int limit);

    /** How many keys are in {@code start <= key < end} now. */
    long count(String start, String end);

    /**
     * Writes a key where its last write is the expected one.
     *
     * @param expectedModRevision the modRevision that the key must have, 0 for a key that must be absent
     * @param lease the lease to bind the key to, 0 for none; a write without one unbinds the key
     */
    WriteResult put(String key, byte[] value, long expectedModRevision, long lease);

    /** Deletes a key where its last write is the expected one; {@code expectedModRevision > 0}. */
    WriteResult delete(String key, long expectedModRevision);

    /** The revision of the latest write, by a linearizable read where the store knows others. */
    long currentRevision();

    /**
     * Makes a lease: keys bound to it are deleted when it ends.
     *
     * @param ttlSeconds how long it lives, at least 1
     * @return its id
     */
    long grantLease(long ttlSeconds);

    /**
     * Sends all changes of the keys in {@code start <= key < end} from {@code startRevision} on, inclusive, in order of
     * revision, each exactly once. The sink is called by one thread at a time. A lost connection is mended inside; the
     * watch goes on without a gap or ends with an error.
     *
     * @param startRevision at least 1
     */
    KvWatch watch(String start, String end, long startRevision, KvWatchSink sink);

    /** Asks that every watch be told how far it is; the answer is {@link KvWatchSink#onProgress}. Returns at once. */
    void requestProgress();

    /** Whether {@link KvWatchSink#onProgress} can be relied on: etcd from 3.4.31 and 3.5.13. */
    boolean supportsProgress();

    /** Forgets the history before a revision, which itself stays readable. */
    void compact(long revision);

    /** Up to which revision the history is gone, as far as is known without asking; 0 where never compacted. */
    long compactRevision();

    /** What the store says of itself, by a real read of at most a few seconds. */
    StoreStatus status();

    @Override
    void close();
}
