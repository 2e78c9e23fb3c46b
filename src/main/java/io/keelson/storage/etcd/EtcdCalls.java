package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.TimeUnit;

/**
 * Single calls with deadline and failover. A call that certainly changed nothing goes on to the next member; a write that
 * may have happened never does.
 */
@ThreadSafe
final class EtcdCalls {
    private final EtcdEndpoints endpoints;
    private final boolean quorum;

    /**
     * @param quorum whether reads need a leader
     */
    EtcdCalls(EtcdEndpoints endpoints, boolean quorum) {
        this.endpoints = endpoints;
        this.quorum = quorum;
    }

    /**
     * A call that changes nothing.
     *
     * @throws StatusRuntimeException where the store answered that it has not, or not yet, the asked revision
     */
    <Q, A> A read(MethodDescriptor<Q, A> method, Q request, long deadlineNanos) {
        // One member gets a second chance: a connection that broke while idle shows only at the first call.
        int attempts = Math.max(2, endpoints.size());
        for (int left = attempts; ; left--) {
            EtcdEndpoint endpoint = endpoints.pick();
            try {
                Channel channel = quorum ? endpoint.requiringLeader() : endpoint.channel();
                return ClientCalls.blockingUnaryCall(
                        channel, method, attemptOptions(endpoint, left, deadlineNanos), request);
            } catch (StatusRuntimeException e) {
                if (EtcdErrors.compacted(e) || EtcdErrors.futureRevision(e)) {
                    throw e;
                }
                endpoints.failed(endpoint);
                boolean timeLeft = deadlineNanos - System.nanoTime() > 0;
                if (left == 1 || !timeLeft || !(EtcdErrors.connectionLost(e) || deadlineOf(e))) {
                    throw EtcdErrors.ofRead(e, endpoint);
                }
            }
        }
    }

    /** A call that changes something. */
    <Q, A> A write(MethodDescriptor<Q, A> method, Q request, long deadlineNanos) {
        for (int left = endpoints.size(); ; left--) {
            EtcdEndpoint endpoint = endpoints.pick();
            EtcdErrors.Sent sent = new EtcdErrors.Sent();
            try {
                return ClientCalls.blockingUnaryCall(
                        endpoint.requiringLeader(),
                        method,
                        attemptOptions(endpoint, left, deadlineNanos).withStreamTracerFactory(sent),
                        request);
            } catch (StatusRuntimeException e) {
                if (EtcdErrors.compacted(e) || EtcdErrors.futureRevision(e)) {
                    throw e;
                }
                boolean away = EtcdErrors.connectionLost(e) || deadlineOf(e);
                if (away) {
                    endpoints.failed(endpoint);
                }
                boolean timeLeft = deadlineNanos - System.nanoTime() > 0;
                if (left == 1 || !timeLeft || !away || sent.sent()) {
                    throw EtcdErrors.ofWrite(e, sent.sent(), endpoint);
                }
            }
        }
    }

    private static boolean deadlineOf(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    /** The whole time for a member that is connected; only a share of it for one that may never be, if others wait. */
    private static CallOptions attemptOptions(EtcdEndpoint endpoint, int attemptsLeft, long deadlineNanos) {
        long remaining = Math.max(1, deadlineNanos - System.nanoTime());
        boolean connected = endpoint.channel().getState(false) == ConnectivityState.READY;
        return CallOptions.DEFAULT.withDeadlineAfter(
                connected ? remaining : Math.max(1, remaining / attemptsLeft), TimeUnit.NANOSECONDS);
    }
}
