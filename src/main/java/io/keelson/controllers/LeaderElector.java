package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one of several servers on a store do some work: the one that holds a Lease. It renews the lease while it works, and stops
 * when it could not renew it in time; the others take the lease when they have not seen it change for as long as it lasts.
 *
 * <p>Clocks of servers need not agree: how old a lease is counts from when this server saw it change, by its own steady clock;
 * the times in the lease are for people to read. Who was paused for longer than the lease lasts may still finish what it had
 * begun when another has taken over; what it writes must bear that, as controllers' writes do by their preconditions.
 *
 * <p>Works on a virtual thread from {@link #start} to {@link #close}, which gives the lease back. Thread-safe.
 */
public final class LeaderElector implements AutoCloseable {
    /** What the leader does. Started at most once. */
    public interface Work extends AutoCloseable {
        void start();

        @Override
        void close();
    }

    /**
     * How the election times itself.
     *
     * @param lease how long others wait for a sign of the leader before one takes over; whole seconds
     * @param deadline how long the leader works on without having renewed the lease
     * @param retry between two looks
     */
    record Timing(Duration lease, Duration deadline, Duration retry) {
        /** The proportions of client-go: 15, 10 and 2 seconds. */
        static Timing of(Duration lease) {
            return new Timing(
                    lease,
                    lease.multipliedBy(2).dividedBy(3),
                    lease.multipliedBy(2).dividedBy(15));
        }
    }

    /** What came of asking for the lease. */
    private enum Answer {
        HELD,
        REFUSED,
        /** Nobody can tell. */
        NONE
    }

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);
    private static final String NAMESPACE = "kube-system";

    /** Times of a Lease have six digits of a second's parts. */
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final RegistryStore leases;
    private final String name;
    private final String identity;
    private final Timing timing;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Supplier<? extends Work> work;
    private final OnDemand task;

    // What follows belongs to the task's run, and to the renewal that it waits for.
    private @Nullable Work working;
    private long renewedAt;

    /** The version in which the lease was last seen, and when it was first seen in it. */
    private String seenVersion = "";

    private long seenAt;

    /**
     * @param name of the Lease, in {@value #NAMESPACE}
     * @param identity tells this server from all others
     * @param lease how long a leader that died keeps others waiting, in whole seconds
     * @param work made anew each time this server becomes the leader
     */
    public LeaderElector(
            RegistryStore leases,
            String name,
            String identity,
            Duration lease,
            InstantSource clock,
            Supplier<? extends Work> work) {
        this(leases, name, identity, Timing.of(lease), clock, System::nanoTime, work);
    }

    LeaderElector(
            RegistryStore leases,
            String name,
            String identity,
            Timing timing,
            InstantSource clock,
            LongSupplier nanos,
            Supplier<? extends Work> work) {
        this.leases = leases;
        this.name = name;
        this.identity = identity;
        this.timing = timing;
        this.clock = clock;
        this.nanos = nanos;
        this.work = work;
        this.task = new OnDemand("leader-election", this::run);
    }

    /** Begins to stand for election; returns at once, whether or not the store can be reached. */
    public void start() {
        task.wake();
    }

    private void run() {
        while (!task.closed() && !Thread.currentThread().isInterrupted()) {
            lookSafely();
            task.pause(timing.retry());
        }
        if (working != null) {
            try {
                stop("this server stops");
            } finally {
                release();
            }
        }
    }

    /** Whatever fails, this server goes on to stand for election, and to see its lease run out. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.warn("The controllers cannot be started or stopped", e);
        }
    }

    /** Takes or renews the lease where that is possible, and starts or stops the work by what comes of it. */
    void look() {
        long asked = nanos.getAsLong();
        Answer answer = answerInTime();
        if (answer == Answer.HELD) {
            // From before the write: what others see cannot be older.
            renewedAt = asked;
            if (working == null && untilDeadline() > 0) {
                begin();
            }
        } else if (answer == Answer.REFUSED) {
            stop("another has taken the lease");
        } else if (untilDeadline() <= 0) {
            stopTooOld();
        }
    }

    private void begin() {
        LOG.info("{} runs the controllers", identity);
        Work begun = work.get();
        working = begun;
        try {
            begun.start();
        } catch (RuntimeException e) {
            stop("they cannot start");
            throw e;
        }
    }

    /**
     * Asks for the lease. The store may answer later than the work may go on without an answer; then the work is stopped first,
     * and the answer is still waited for, since it says what is known of the lease.
     */
    private Answer answerInTime() {
        if (working == null) {
            return ask();
        }
        var answer = new CompletableFuture<Answer>();
        Thread asking = Thread.ofVirtual().name("lease-renewal").start(() -> answer.complete(ask()));
        try {
            try {
                return answer.get(Math.max(0, untilDeadline()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                stopTooOld();
                return answer.get();
            }
        } catch (InterruptedException e) {
            asking.interrupt();
            Thread.currentThread().interrupt();
            return Answer.NONE;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Answer ask() {
        try {
            return hold() ? Answer.HELD : Answer.REFUSED;
        } catch (StorageException e) {
            // The health checks tell of it.
            LOG.debug("The lease {} cannot be renewed: {}", name, e.getMessage());
        } catch (ApiException e) {
            LOG.warn("The lease {} cannot be renewed: {}", name, e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("The lease {} cannot be renewed", name, e);
        }
        return Answer.NONE;
    }

    private long untilDeadline() {
        return timing.deadline().toNanos() - (nanos.getAsLong() - renewedAt);
    }

    private void stopTooOld() {
        stop("its lease could not be renewed for " + timing.deadline());
    }

    private void stop(String why) {
        Work running = working;
        if (running != null) {
            LOG.info("{} runs the controllers no longer: {}", identity, why);
            working = null;
            running.close();
        }
    }

    // ---- the lease

    private boolean hold() {
        ObjectNode lease = read();
        if (lease == null) {
            return create();
        }
        String version = Trees.text(lease, "metadata", "resourceVersion");
        if (!version.equals(seenVersion)) {
            seenVersion = version;
            seenAt = nanos.getAsLong();
        }
        String holder = Trees.text(lease, "spec", "holderIdentity");
        boolean own = holder.equals(identity);
        if (!own
                && !holder.isEmpty()
                && nanos.getAsLong() - seenAt < duration(lease).toNanos()) {
            return false;
        }
        return write(lease, own);
    }

    /** How long the holder keeps the lease without renewing it. */
    private Duration duration(ObjectNode lease) {
        JsonNode seconds = Trees.at(lease, "spec", "leaseDurationSeconds");
        return seconds.isIntegralNumber() ? Duration.ofSeconds(seconds.asLong()) : timing.lease();
    }

    private @Nullable ObjectNode read() {
        try {
            return Json.parseTrusted(leases.get(context(), name, null).json());
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
            return null;
        }
    }

    private boolean create() {
        ObjectNode lease = Json.object();
        lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        lease.putObject("metadata").put("name", name);
        fill(lease, false);
        try {
            note(Json.parseTrusted(leases.create(context(), "", lease).json()));
            return true;
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.ALREADY_EXISTS) {
                return false;
            }
            throw e;
        }
    }

    /** Writes the lease where nobody has written to it since it was read. */
    private boolean write(ObjectNode lease, boolean own) {
        fill(lease, own);
        try {
            note(Json.parseTrusted(
                    leases.update(context(), name, existing -> lease).object().json()));
            return true;
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    private void note(ObjectNode written) {
        seenVersion = Trees.text(written, "metadata", "resourceVersion");
        seenAt = nanos.getAsLong();
    }

    private void fill(ObjectNode lease, boolean own) {
        ObjectNode spec = Trees.child(lease, "spec");
        String now = MICROS.format(clock.instant());
        if (!own) {
            boolean taken = spec.has("leaseTransitions");
            spec.put("leaseTransitions", taken ? spec.path("leaseTransitions").asInt() + 1 : 0);
            spec.put("acquireTime", now);
        }
        spec.put("holderIdentity", identity)
                .put("leaseDurationSeconds", Math.max(1, timing.lease().toSeconds()))
                .put("renewTime", now);
    }

    /** Lets another take over at once. */
    private void release() {
        try {
            ObjectNode lease = read();
            if (lease != null && Trees.text(lease, "spec", "holderIdentity").equals(identity)) {
                ObjectNode spec = Trees.child(lease, "spec");
                spec.remove("holderIdentity");
                spec.put("leaseDurationSeconds", 1).put("renewTime", MICROS.format(clock.instant()));
                var _ = leases.update(context(), name, existing -> lease);
            }
        } catch (StorageException | ApiException e) {
            LOG.debug("The lease {} cannot be given back: {}", name, e.getMessage());
        }
    }

    private RequestContext context() {
        return RequestContext.internal(NAMESPACE, clock.instant());
    }

    /** Stops the work where it runs, and gives the lease back; a few seconds at most. */
    @Override
    public void close() {
        task.close();
    }
}
