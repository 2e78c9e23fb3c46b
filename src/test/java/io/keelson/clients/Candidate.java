package io.keelson.clients;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/** One of several processes of which one is to lead, by a lease and fabric8's elector. Closing resigns. */
final class Candidate implements AutoCloseable {
    private static final String LEASE = "leader";
    private static final Duration RETRY_PERIOD = Duration.ofMillis(200);

    /** Longer than a restart of the server takes on a busy machine, so that the leader leads on. */
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(50);

    private static final Duration LEASE_DURATION = Duration.ofSeconds(60);

    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicReference<String> leaderSeen = new AtomicReference<>("");
    private final KubernetesClient client;
    private final CompletableFuture<?> run;

    private Candidate(KubernetesClient client, String namespace, String identity) {
        this.client = client;
        this.run = client.leaderElector()
                .withConfig(new LeaderElectionConfig(
                        new LeaseLock(namespace, LEASE, identity),
                        LEASE_DURATION,
                        RENEW_DEADLINE,
                        RETRY_PERIOD,
                        new LeaderCallbacks(() -> leading.set(true), () -> leading.set(false), leaderSeen::set),
                        true,
                        identity))
                .build()
                .start();
    }

    static Candidate start(KubernetesClient client, String namespace, String identity) {
        return new Candidate(client, namespace, identity);
    }

    /** The lease that all candidates of the client's namespace want. */
    static Lease lease(KubernetesClient client) {
        return client.leases().withName(LEASE).get();
    }

    boolean leads() {
        return leading.get();
    }

    void awaitLeading() {
        Awaitility.await("leads").atMost(ClientFixture.TIMEOUT).until(leading::get);
    }

    /** Waits until this candidate knows that the other leads; the time at which the lease was last renewed. */
    String awaitLeaderSeen(String identity) {
        Awaitility.await("leader seen")
                .atMost(ClientFixture.TIMEOUT)
                .until(() -> leaderSeen.get().equals(identity));
        return lease(client).getSpec().getRenewTime().toString();
    }

    void resign() {
        run.cancel(true);
    }

    @Override
    public void close() {
        resign();
    }
}
