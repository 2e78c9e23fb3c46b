package io.keelson.resources.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * A range of numbers that are handed out one by one and come back. Thread-safe. It begins the search at a random place,
 * so that servers which share a store seldom try the same number.
 */
final class NumberPool {
    private final long first;
    private final int size;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<Long> taken = new HashSet<>();

    /**
     * @param first the lowest number
     * @param size how many numbers there are
     */
    NumberPool(long first, int size, RandomGenerator random) {
        this.first = first;
        this.size = size;
        this.random = random;
    }

    boolean contains(long number) {
        return number >= first && number < first + size;
    }

    /** A number that is free, or nothing where all are taken. */
    OptionalLong take() {
        int start = random.nextInt(size);
        lock.lock();
        try {
            for (int i = 0; i < size; i++) {
                long number = first + (start + i) % size;
                if (taken.add(number)) {
                    return OptionalLong.of(number);
                }
            }
            return OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes one number; false where it is taken already. A number outside the range is always free. */
    boolean take(long number) {
        lock.lock();
        try {
            return !contains(number) || taken.add(number);
        } finally {
            lock.unlock();
        }
    }

    void giveBack(long number) {
        lock.lock();
        try {
            taken.remove(number);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all that is taken but these. */
    void retain(Set<Long> numbers) {
        lock.lock();
        try {
            taken.retainAll(numbers);
        } finally {
            lock.unlock();
        }
    }
}
