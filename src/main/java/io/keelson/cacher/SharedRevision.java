package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's current revision for many readers at once. A reader needs an answer that the store gave to a question asked
 * after the reader came; so those that come while a question is under way share the next one. After a question that several
 * have shared, the next waits for as long as it takes to serve them: their next reads then share one question, instead of each
 * question serving those alone that happen to have come first. Readers who come one at a time
 * never wait for others. Thread-safe.
 */
final class SharedRevision {
    /** About how long it takes to answer one reader and to hear from it again, in nanoseconds. */
    private static final long GATHER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** How long a question waits for readers at most, in nanoseconds; a question by itself takes about as long. */
    static final long MAX_GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One question to the store. */
    private final class Round {
        private final Condition ended = lock.newCondition();
        int readers;
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

    /** When the next question may be asked, by {@link System#nanoTime}. */
    @GuardedBy("lock")
    private long notBefore = System.nanoTime();

    SharedRevision(LongSupplier store) {
        this.store = store;
    }

    /** The store's revision at some moment after this call began. */
    long read() {
        Round round;
        lock.lock();
        try {
            round = next;
            if (round.readers++ > 0) {
                while (!round.answered) {
                    round.ended.awaitUninterruptibly();
                }
                return result(round);
            }
            awaitTurn();
            busy = true;
            next = new Round();
        } finally {
            lock.unlock();
        }
        ask(round);
        return result(round);
    }

    @GuardedBy("lock")
    private void awaitTurn() {
        boolean interrupted = false;
        while (true) {
            try {
                long wait = notBefore - System.nanoTime();
                if (busy) {
                    free.await();
                } else if (wait > 0) {
                    var _ = free.awaitNanos(wait);
                } else {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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
            long gather = round.readers > 1 ? Math.min(MAX_GATHER_NANOS, round.readers * GATHER_NANOS) : 0;
            notBefore = System.nanoTime() + gather;
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
