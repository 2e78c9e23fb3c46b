package io.keelson.registry;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import io.keelson.storage.kv.StoreStatus;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store that can be told to be out of reach for a while. Thread-safe. */
public final class FaultyKvStore implements KvStore {
    private final KvStore store;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong uses = new AtomicLong();

    FaultyKvStore(KvStore store) {
        this.store = store;
    }

    /** Lets some calls pass and fails some that follow. */
    public void failAfter(int passing, int failing) {
        calls.set(passing);
        failures.set(failing);
    }

    /** How many of the failures that were asked for are still to come. */
    public int failuresLeft() {
        return failures.get();
    }

    /** How often the store was asked for something. */
    public long uses() {
        return uses.get();
    }

    private KvStore reached() {
        uses.incrementAndGet();
        if (failures.get() > 0 && calls.getAndDecrement() <= 0 && failures.getAndDecrement() > 0) {
            throw new StorageException.Unreachable("the test's store is out of reach", null);
        }
        return store;
    }

    @Override
    public GetResult get(String key) {
        return reached().get(key);
    }

    @Override
    public RangeResult range(String start, String end, long revision, int limit) {
        return reached().range(start, end, revision, limit);
    }

    @Override
    public long count(String start, String end) {
        return reached().count(start, end);
    }

    @Override
    public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return reached().put(key, value, expectedModRevision, lease);
    }

    @Override
    public WriteResult delete(String key, long expectedModRevision) {
        return reached().delete(key, expectedModRevision);
    }

    @Override
    public long currentRevision() {
        return reached().currentRevision();
    }

    @Override
    public long grantLease(long ttlSeconds) {
        return reached().grantLease(ttlSeconds);
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        return reached().watch(start, end, startRevision, sink);
    }

    @Override
    public void requestProgress() {
        store.requestProgress();
    }

    @Override
    public boolean supportsProgress() {
        return store.supportsProgress();
    }

    @Override
    public void compact(long revision) {
        store.compact(revision);
    }

    @Override
    public long compactRevision() {
        return store.compactRevision();
    }

    @Override
    public StoreStatus status() {
        return store.status();
    }

    @Override
    public void close() {
        store.close();
    }
}
