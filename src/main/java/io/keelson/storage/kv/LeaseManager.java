package io.keelson.storage.kv;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands out leases for objects that go by themselves. Objects made close together share one, since a lease costs the
 * store more than an object does: for at most a twentieth of its time, a minute at most, and {@value #MAX_OBJECTS}
 * objects. So an object lives up to that much longer than asked, never shorter. Thread-safe.
 */
final class LeaseManager {
    private static final int MAX_OBJECTS = 1000;
    private static final Duration MAX_REUSE = Duration.ofMinutes(1);
    private static final int REUSE_DIVISOR = 20;

    private record Lease(long id, long ttlSeconds, Instant reusableUntil) {}

    private final KvStore store;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Lease shared = new Lease(0, 0, Instant.MIN);

    @GuardedBy("lock")
    private int objects;

    LeaseManager(KvStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** A lease that lives at least this long; 0 for an object that stays. */
    long leaseFor(long ttlSeconds) {
        if (ttlSeconds <= 0) {
            return 0;
        }
        lock.lock();
        try {
            if (shared.ttlSeconds() == ttlSeconds
                    && objects < MAX_OBJECTS
                    && clock.instant().isBefore(shared.reusableUntil())) {
                objects++;
                return shared.id();
            }
        } finally {
            lock.unlock();
        }
        // Whole seconds, as a lease's time has no parts: what is reused for longer than it lives longer would end
        // early.
        Duration reuse = Duration.ofSeconds(ttlSeconds / REUSE_DIVISOR);
        if (reuse.compareTo(MAX_REUSE) > 0) {
            reuse = MAX_REUSE;
        }
        Instant reusableUntil = clock.instant().plus(reuse);
        long id = store.grantLease(ttlSeconds + reuse.toSeconds());
        lock.lock();
        try {
            shared = new Lease(id, ttlSeconds, reusableUntil);
            objects = 1;
        } finally {
            lock.unlock();
        }
        return id;
    }
}
