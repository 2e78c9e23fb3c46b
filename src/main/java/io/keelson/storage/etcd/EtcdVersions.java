package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The versions that the members told, each renewed when a watch stream connects to it. */
@ThreadSafe
final class EtcdVersions {
    private final EtcdEndpoints endpoints;
    private final Duration timeout;
    private final Map<EtcdEndpoint, EtcdVersion> known = new ConcurrentHashMap<>();

    EtcdVersions(EtcdEndpoints endpoints, Duration timeout) {
        this.endpoints = endpoints;
        this.timeout = timeout;
    }

    /**
     * Asks a member for its version.
     *
     * @throws StatusRuntimeException where it does not answer
     */
    EtcdVersion refresh(EtcdEndpoint endpoint) {
        StatusResponse status = ClientCalls.blockingUnaryCall(
                endpoint.channel(),
                MaintenanceGrpc.getStatusMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS),
                StatusRequest.getDefaultInstance());
        return learn(endpoint, status);
    }

    EtcdVersion learn(EtcdEndpoint endpoint, StatusResponse status) {
        EtcdVersion version = EtcdVersion.parse(status.getVersion());
        known.put(endpoint, version);
        return version;
    }

    /** Whether every member that has ever answered tells progress reliably; false while none has. */
    boolean reliableProgress() {
        if (known.isEmpty()) {
            EtcdEndpoint endpoint = endpoints.pick();
            try {
                refresh(endpoint);
            } catch (StatusRuntimeException e) {
                endpoints.failed(endpoint);
                return false;
            }
        }
        return known.values().stream().allMatch(EtcdVersion::reliableProgress);
    }
}
