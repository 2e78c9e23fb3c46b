package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.StatusRuntimeException;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import io.keelson.storage.kv.StoreStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The {@link KvStore} of an etcd cluster, version 3.4 or later. It speaks through the plain gRPC stubs: a call is encoded
 * and decoded by its caller's thread, with one hand-over to the thread of the sockets.
 *
 * <p>A store is made whether etcd can be reached or not. Calls fail until it can; watches wait for it.
 */
@ThreadSafe
public final class EtcdKvStore implements KvStore {
    private final EtcdEndpoints endpoints;
    private final EtcdVersions versions;
    private final EtcdWatches watches;
    private final EtcdCalls calls;
    private final EtcdWrites writes;
    private final EtcdStatus status;
    private final Duration timeout;
    private final boolean quorum;
    private final AtomicLong compactRevision = new AtomicLong();

    /**
     * Makes a store and connects at its first call.
     *
     * @throws IllegalArgumentException where an endpoint or a TLS file is no good
     */
    public static EtcdKvStore connect(EtcdOptions options) {
        return new EtcdKvStore(options, EtcdEndpoints.open(options));
    }

    private EtcdKvStore(EtcdOptions options, EtcdEndpoints endpoints) {
        this.endpoints = endpoints;
        this.timeout = options.timeout();
        this.quorum = options.quorum();
        this.calls = new EtcdCalls(endpoints, quorum);
        this.versions = new EtcdVersions(endpoints, timeout);
        this.watches = new EtcdWatches(endpoints, versions, this::noteCompacted);
        this.writes = new EtcdWrites(calls, watches::watch, timeout);
        this.status = new EtcdStatus(endpoints, versions, timeout);
    }

    @Override
    public GetResult get(String key) {
        RangeResponse response = range(EtcdMessages.get(key, quorum));
        KeyValue kv = response.getKvsCount() == 0 ? null : EtcdMessages.keyValue(response.getKvs(0));
        return new GetResult(kv, response.getHeader().getRevision());
    }

    @Override
    public RangeResult range(String start, String end, long revision, int limit) {
        if (limit <= 0 || limit > MAX_RANGE) {
            throw new IllegalArgumentException("limit must be from 1 to " + MAX_RANGE + ", not " + limit);
        }
        RangeResponse response = range(EtcdMessages.range(start, end, revision, limit, quorum));
        List<KeyValue> kvs = new ArrayList<>(response.getKvsCount());
        response.getKvsList().forEach(kv -> kvs.add(EtcdMessages.keyValue(kv)));
        return new RangeResult(kvs, response.getHeader().getRevision(), response.getCount(), response.getMore());
    }

    @Override
    public long count(String start, String end) {
        return range(EtcdMessages.count(start, end, quorum)).getCount();
    }

    @Override
    public long currentRevision() {
        // The key is of no interest, every answer carries the revision; a range of one key is the cheapest to count.
        return range(RangeRequest.newBuilder()
                        .setKey(EtcdMessages.bytes("/"))
                        .setCountOnly(true)
                        .build())
                .getHeader()
                .getRevision();
    }

    private RangeResponse range(RangeRequest request) {
        try {
            return calls.read(KVGrpc.getRangeMethod(), request, deadline());
        } catch (StatusRuntimeException e) {
            throw ofRevision(e, request.getRevision());
        }
    }

    @Override
    public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return writes.put(key, value, expectedModRevision, lease);
    }

    @Override
    public WriteResult delete(String key, long expectedModRevision) {
        if (expectedModRevision <= 0) {
            throw new IllegalArgumentException("a deletion expects a revision above 0, not " + expectedModRevision);
        }
        return writes.delete(key, expectedModRevision);
    }

    @Override
    public long grantLease(long ttlSeconds) {
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(ttlSeconds).build();
        return calls.write(LeaseGrpc.getLeaseGrantMethod(), request, deadline()).getID();
    }

    @Override
    public KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        if (startRevision < 1) {
            throw new IllegalArgumentException("a watch starts at revision 1 or later, not " + startRevision);
        }
        return watches.watch(start, end, startRevision, sink);
    }

    @Override
    public void requestProgress() {
        watches.requestProgress();
    }

    @Override
    public boolean supportsProgress() {
        return versions.reliableProgress();
    }

    @Override
    public void compact(long revision) {
        CompactionRequest request =
                CompactionRequest.newBuilder().setRevision(revision).build();
        try {
            calls.write(KVGrpc.getCompactMethod(), request, deadline());
        } catch (StatusRuntimeException e) {
            if (!EtcdErrors.compacted(e)) {
                throw ofRevision(e, revision);
            }
        }
        noteCompacted(revision);
    }

    private void noteCompacted(long revision) {
        compactRevision.accumulateAndGet(revision, Math::max);
    }

    @Override
    public long compactRevision() {
        return compactRevision.get();
    }

    @Override
    public StoreStatus status() {
        return status.read(this::currentRevision);
    }

    /** What it means that a revision is not there. */
    private StorageException ofRevision(StatusRuntimeException e, long revision) {
        return EtcdErrors.futureRevision(e)
                ? new StorageException.TooLargeResourceVersion(revision, currentRevision())
                : new StorageException.Expired("etcd: revision " + revision + " is gone: " + EtcdErrors.description(e));
    }

    private long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    @Override
    public void close() {
        watches.close();
        endpoints.close();
    }
}
