package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's current revision for many readers at once. A reader needs an answer that the store gave to a question asked
 * after the reader came; so those that come while a question is under way share the next one. Thread-safe.
 */
final class SharedRevision {
    /** One question to the store. */
    private final class Round {
        private final Condition ended = lock.newCondition();
        boolean led;
        boolean answered;
        long revision;

        @Nullable
        RuntimeException failure;
    }

    private final LongSupplier store;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();

    @GuardedBy("lock")
    private Round next = new Round();

    @GuardedBy("lock")
    private boolean busy;

    SharedRevision(LongSupplier store) {
        this.store = store;
    }

    /** The store's revision at some moment after this call began. */
    long read() {
        Round round;
        lock.lock();
        try {
            round = next;
            if (round.led) {
                while (!round.answered) {
                    round.ended.awaitUninterruptibly();
                }
                return result(round);
            }
            round.led = true;
            while (busy) {
                free.awaitUninterruptibly();
            }
            busy = true;
            next = new Round();
        } finally {
            lock.unlock();
        }
        ask(round);
        return result(round);
    }

    private void ask(Round round) {
        long revision = 0;
        RuntimeException failure = null;
        try {
            revision = store.getAsLong();
        } catch (RuntimeException e) {
            failure = e;
        }
        lock.lock();
        try {
            round.revision = revision;
            round.failure = failure;
            round.answered = true;
            busy = false;
            round.ended.signalAll();
            free.signal();
        } finally {
            lock.unlock();
        }
    }

    private static long result(Round round) {
        if (round.failure != null) {
            throw round.failure;
        }
        return round.revision;
    }
}
