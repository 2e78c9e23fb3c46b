package io.keelson.storage.etcd;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.keelson.storage.StorageException;

/** What etcd's and gRPC's errors mean to our callers. */
final class EtcdErrors {
    private EtcdErrors() {}

    /**
     * Notes whether a call's message was handed to a connection. Until then it is certain that the server has seen
     * nothing of it. Set by gRPC's thread before the call fails, read by the caller after.
     */
    static final class Sent extends ClientStreamTracer.Factory {
        private volatile boolean sent;

        boolean sent() {
            return sent;
        }

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundMessage(int seqNo) {
                    sent = true;
                }
            };
        }
    }

    static boolean compacted(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.OUT_OF_RANGE
                && description(e).contains("compacted");
    }

    static boolean futureRevision(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.OUT_OF_RANGE
                && description(e).contains("future revision");
    }

    /** Whether another member, or the same a moment later, may answer a call that changes nothing. */
    static boolean connectionLost(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.UNAVAILABLE;
    }

    static StorageException ofRead(StatusRuntimeException e, EtcdEndpoint endpoint) {
        return switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED, CANCELLED ->
                new StorageException.Timeout("etcd " + endpoint + " did not answer in time: " + description(e), e);
            case UNKNOWN, INTERNAL -> fromEtcd(e) ? internal(e) : unreachable(e, endpoint);
            default -> refused(e, endpoint);
        };
    }

    /**
     * @param sent whether the request may have reached the server
     */
    static StorageException ofWrite(StatusRuntimeException e, boolean sent, EtcdEndpoint endpoint) {
        boolean noAnswer = switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED, CANCELLED, UNKNOWN, INTERNAL -> true;
            // Without a leader etcd refuses before it proposes anything. All its other ways of being
            // unavailable (timed out, leader changed, stopped) come after.
            case UNAVAILABLE -> !description(e).equals("etcdserver: no leader");
            default -> false;
        };
        if (!noAnswer) {
            return refused(e, endpoint);
        }
        return sent
                ? new StorageException.UnknownOutcome(
                        "etcd " + endpoint + " gave no answer to a write, which may have happened: " + description(e),
                        e)
                : unreachable(e, endpoint);
    }

    private static StorageException refused(StatusRuntimeException e, EtcdEndpoint endpoint) {
        return switch (e.getStatus().getCode()) {
            case OUT_OF_RANGE -> compacted(e) ? new StorageException.Expired("etcd: " + description(e)) : internal(e);
            case RESOURCE_EXHAUSTED -> fromEtcd(e) ? unreachable(e, endpoint) : tooLarge(e);
            case INVALID_ARGUMENT -> tooLarge(e);
            case NOT_FOUND -> new StorageException.InvalidObject("etcd: " + description(e));
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, PERMISSION_DENIED, UNAUTHENTICATED ->
                unreachable(e, endpoint);
            default -> internal(e);
        };
    }

    private static boolean fromEtcd(StatusRuntimeException e) {
        return description(e).startsWith("etcdserver: ");
    }

    private static StorageException tooLarge(StatusRuntimeException e) {
        return new StorageException.BadRequest("etcd: " + description(e));
    }

    private static StorageException unreachable(StatusRuntimeException e, EtcdEndpoint endpoint) {
        Throwable cause = e.getCause();
        String reason = description(e) + (cause == null ? "" : " (" + cause.getMessage() + ")");
        return new StorageException.Unreachable("etcd " + endpoint + " cannot be used: " + reason, e);
    }

    private static StorageException internal(StatusRuntimeException e) {
        return new StorageException.Internal("etcd: " + e.getMessage(), e);
    }

    static String description(StatusRuntimeException e) {
        String text = e.getStatus().getDescription();
        return text == null ? e.getStatus().getCode().toString() : text;
    }
}
