package io.keelson.storage.kv;

/**
 * A store that hands every call on to another one: the base of those that change or watch some of the calls. As
 * thread-safe as the store below; closing closes that.
 */
public abstract class ForwardingKvStore implements KvStore {
    private final KvStore store;

    protected ForwardingKvStore(KvStore store) {
        this.store = store;
    }

    /**
     * The store for one call that reads, writes or begins a watch; throws in its stead where the call is to fail. What
     * only tells how the store stands is not asked for here.
     */
    protected KvStore target() {
        return store;
    }

    @Override
    public GetResult get(String key) {
        return target().get(key);
    }

    @Override
    public RangeResult range(String start, String end, long revision, int limit) {
        return target().range(start, end, revision, limit);
    }

    @Override
    public long count(String start, String end) {
        return target().count(start, end);
    }

    @Override
    public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return target().put(key, value, expectedModRevision, lease);
    }

    @Override
    public WriteResult delete(String key, long expectedModRevision) {
        return target().delete(key, expectedModRevision);
    }

    @Override
    public long currentRevision() {
        return target().currentRevision();
    }

    @Override
    public long grantLease(long ttlSeconds) {
        return target().grantLease(ttlSeconds);
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        return target().watch(start, end, startRevision, sink);
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
