package io.keelson.storage.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvEvent;

/** Our records as etcd's messages and back. */
final class EtcdMessages {
    private EtcdMessages() {}

    static ByteString bytes(String key) {
        return ByteString.copyFromUtf8(key);
    }

    static RangeRequest get(String key, boolean quorum) {
        return RangeRequest.newBuilder()
                .setKey(bytes(key))
                .setSerializable(!quorum)
                .build();
    }

    static RangeRequest range(String start, String end, long revision, int limit, boolean quorum) {
        return RangeRequest.newBuilder()
                .setKey(bytes(start))
                .setRangeEnd(bytes(end))
                .setRevision(revision)
                .setLimit(limit)
                .setSerializable(!quorum)
                .build();
    }

    static RangeRequest count(String start, String end, boolean quorum) {
        return RangeRequest.newBuilder()
                .setKey(bytes(start))
                .setRangeEnd(bytes(end))
                .setCountOnly(true)
                .setSerializable(!quorum)
                .build();
    }

    /** A put where the key's last write is the expected one; else the key's state. */
    static TxnRequest putIf(String key, byte[] value, long expectedModRevision, long lease) {
        PutRequest.Builder put = PutRequest.newBuilder()
                .setKey(bytes(key))
                .setValue(UnsafeByteOperations.unsafeWrap(value))
                .setLease(lease);
        return conditional(key, expectedModRevision, RequestOp.newBuilder().setRequestPut(put));
    }

    /** A deletion where the key's last write is the expected one; else the key's state. */
    static TxnRequest deleteIf(String key, long expectedModRevision) {
        DeleteRangeRequest.Builder delete = DeleteRangeRequest.newBuilder().setKey(bytes(key));
        return conditional(key, expectedModRevision, RequestOp.newBuilder().setRequestDeleteRange(delete));
    }

    private static TxnRequest conditional(String key, long expectedModRevision, RequestOp.Builder write) {
        ByteString bytes = bytes(key);
        return TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(bytes)
                        .setTarget(Compare.CompareTarget.MOD)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setModRevision(expectedModRevision))
                .addSuccess(write)
                .addFailure(RequestOp.newBuilder()
                        .setRequestRange(RangeRequest.newBuilder().setKey(bytes)))
                .build();
    }

    static WatchRequest watch(String start, String end, long startRevision) {
        return WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(bytes(start))
                        .setRangeEnd(bytes(end))
                        .setStartRevision(startRevision)
                        .setPrevKv(true)
                        .setProgressNotify(true))
                .build();
    }

    static KeyValue keyValue(io.etcd.jetcd.api.KeyValue kv) {
        return new KeyValue(
                kv.getKey().toStringUtf8(),
                kv.getValue().toByteArray(),
                kv.getCreateRevision(),
                kv.getModRevision(),
                kv.getVersion(),
                kv.getLease());
    }

    static KvEvent event(Event event) {
        io.etcd.jetcd.api.KeyValue kv = event.getKv();
        boolean deleted = event.getType() == Event.EventType.DELETE;
        return new KvEvent(
                kv.getKey().toStringUtf8(),
                deleted ? null : kv.getValue().toByteArray(),
                event.hasPrevKv() ? keyValue(event.getPrevKv()) : null,
                kv.getModRevision());
    }
}
