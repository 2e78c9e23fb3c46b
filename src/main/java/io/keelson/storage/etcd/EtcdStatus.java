package io.keelson.storage.etcd;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.errorprone.annotations.ThreadSafe;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.StoreStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What a cluster says of itself: each member is asked, at the same time, and those that answer make the answer. */
@ThreadSafe
final class EtcdStatus {
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private final EtcdEndpoints endpoints;
    private final EtcdVersions versions;
    private final Duration timeout;

    EtcdStatus(EtcdEndpoints endpoints, EtcdVersions versions, Duration timeout) {
        this.endpoints = endpoints;
        this.versions = versions;
        this.timeout = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
    }

    /**
     * @param currentRevision reads the revision, which shows that the cluster has a quorum
     */
    StoreStatus read(LongSupplier currentRevision) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        List<ListenableFuture<StatusResponse>> asked = new ArrayList<>();
        for (EtcdEndpoint endpoint : endpoints.all()) {
            asked.add(ask(endpoint, MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), options));
        }
        EtcdEndpoint any = endpoints.pick();
        ListenableFuture<MemberListResponse> members =
                ask(any, ClusterGrpc.getMemberListMethod(), MemberListRequest.getDefaultInstance(), options);
        List<StatusResponse> answers = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            StatusResponse answer = answer(asked.get(i));
            if (answer != null) {
                versions.learn(endpoints.all().get(i), answer);
                answers.add(answer);
            }
        }
        MemberListResponse list = answer(members);
        if (answers.isEmpty()) {
            endpoints.failed(any);
        }
        return describe(answers, list == null ? List.of() : list.getMembersList(), currentRevision.getAsLong());
    }

    private StoreStatus describe(List<StatusResponse> answers, List<Member> members, long revision) {
        // The oldest member decides what the cluster can do.
        String version = answers.stream()
                .map(StatusResponse::getVersion)
                .min(Comparator.comparing(EtcdVersion::parse))
                .orElse("");
        List<String> names = members.isEmpty()
                ? endpoints.all().stream().map(EtcdEndpoint::toString).toList()
                : members.stream().map(EtcdStatus::name).toList();
        long leaderId = answers.stream()
                .mapToLong(StatusResponse::getLeader)
                .filter(id -> id != 0)
                .findFirst()
                .orElse(0);
        String leader = members.stream()
                .filter(member -> member.getID() == leaderId)
                .map(EtcdStatus::name)
                .findFirst()
                .orElse("");
        long bytes = answers.stream().mapToLong(StatusResponse::getDbSize).max().orElse(0);
        return new StoreStatus("etcd3", version, names, leader, bytes, revision);
    }

    /** A member that has not started yet has no name. */
    private static String name(Member member) {
        return member.getName().isEmpty() ? Long.toHexString(member.getID()) : member.getName();
    }

    private static <Q, A> ListenableFuture<A> ask(
            EtcdEndpoint endpoint, MethodDescriptor<Q, A> method, Q request, CallOptions options) {
        return ClientCalls.futureUnaryCall(endpoint.channel().newCall(method, options), request);
    }

    /** The answer, null where there is none; the call's deadline ends the wait. */
    private static <A> @Nullable A answer(ListenableFuture<A> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StatusRuntimeException) {
                return null;
            }
            throw new StorageException.Internal("etcd: the status cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.Timeout("etcd: interrupted while the status was read", e);
        }
    }
}
