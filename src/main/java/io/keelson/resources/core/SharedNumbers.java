package io.keelson.resources.core;

import java.util.OptionalLong;
import java.util.Set;

/**
 * A range of numbers that several servers hand out. The reservations decide; the pool in memory only saves most of the
 * attempts at what is taken. Thread-safe.
 */
final class SharedNumbers {
    private final NumberPool pool;
    private final Reservations reservations;

    SharedNumbers(NumberPool pool, Reservations reservations) {
        this.pool = pool;
        this.reservations = reservations;
    }

    boolean contains(long number) {
        return pool.contains(number);
    }

    /** Learns which numbers are in use, and reserves those that nobody has reserved. */
    void seed(Set<Long> used) {
        Set<Long> known = reservations.taken();
        known.forEach(pool::take);
        for (long number : used) {
            pool.take(number);
            if (pool.contains(number) && !known.contains(number)) {
                reservations.take(number);
            }
        }
        reservations.giveBackUnused(used);
    }

    /**
     * A free number, or nothing where all are taken.
     *
     * @param dryRun whether it is only to be shown and nothing reserved
     */
    OptionalLong take(boolean dryRun) {
        OptionalLong number = takeUnknown(dryRun);
        if (number.isPresent()) {
            return number;
        }
        // What the pool has seen taken may have been given back to another server.
        pool.retain(reservations.taken());
        return takeUnknown(dryRun);
    }

    private OptionalLong takeUnknown(boolean dryRun) {
        while (true) {
            OptionalLong number = pool.take();
            if (number.isEmpty() || reserve(number.getAsLong(), dryRun)) {
                return number;
            }
        }
    }

    /** Takes one number; false where it is taken already. A number outside the range is always free. */
    boolean take(long number, boolean dryRun) {
        if (!pool.contains(number)) {
            return true;
        }
        boolean free = reserve(number, dryRun);
        pool.take(number);
        return free;
    }

    private boolean reserve(long number, boolean dryRun) {
        return dryRun ? reservations.isFree(number) : reservations.take(number);
    }

    void giveBack(long number, boolean dryRun) {
        if (pool.contains(number)) {
            if (!dryRun) {
                reservations.giveBack(number);
            }
            pool.giveBack(number);
        }
    }
}
