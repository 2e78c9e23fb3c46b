package io.keelson.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that need work, each at most once, each worked on by one thread at a time, again and again until its work is
 * done. A key that is added while it waits becomes due soon; one that is added while it is worked on is worked on once
 * more. Keys that fail wait longer and longer, and all together are tried again as often as a {@link RetryBudget} allows.
 * Holds at most as many keys as it was made for. Thread-safe.
 */
final class WorkQueue<K> implements AutoCloseable {
    /** What became of a key. */
    sealed interface Outcome {
        /** Nothing is left to do; the key leaves the queue. */
        record Done() implements Outcome {}

        /** Something is in the way; try again after a while that grows. */
        record Retry() implements Outcome {}

        /** Go on after a while. */
        record After(Duration delay) implements Outcome {}

        Outcome DONE = new Done();
        Outcome RETRY = new Retry();
    }

    /** Does the work. May throw, which means the same as {@link Outcome.Retry}. */
    @FunctionalInterface
    interface Worker<K> {
        /** @param age how long ago the key entered the queue */
        Outcome work(K key, Duration age);
    }

    private static final class Entry<K> {
        private final K key;
        private final long number;
        private final long addedAt;
        private long dueAt;
        private int failures;
        private boolean running;
        private boolean addedAgain;

        /** Whether it is due only because it failed. */
        private boolean retried;

        Entry(K key, long number, long now) {
            this.key = key;
            this.number = number;
            this.addedAt = now;
            this.dueAt = now;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    /** How long {@link #close} waits for work that is under way. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(5);

    private final String name;
    private final int maxKeys;
    private final Backoff backoff;
    private final Worker<K> worker;
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final long origin = System.nanoTime();

    /** All keys that are known, with those that are worked on. */
    @GuardedBy("lock")
    private final Map<K, Entry<K>> entries = new HashMap<>();

    /** The keys that wait, the one that is due first in front. An entry never changes while it is in here. */
    @GuardedBy("lock")
    private final SortedSet<Entry<K>> waiting = byTime();

    /** The keys that wait to be tried again, likewise. */
    @GuardedBy("lock")
    private final SortedSet<Entry<K>> retries = byTime();

    @GuardedBy("lock")
    private final RetryBudget budget;

    @GuardedBy("lock")
    private long added;

    private volatile boolean closed;

    WorkQueue(String name, int workers, int maxKeys, Backoff backoff, Worker<K> worker) {
        this(name, workers, maxKeys, backoff, System::nanoTime, worker);
    }

    /** @param budgetNanos the clock of the budget of retries */
    WorkQueue(String name, int workers, int maxKeys, Backoff backoff, LongSupplier budgetNanos, Worker<K> worker) {
        this.budget = new RetryBudget(budgetNanos);
        this.name = name;
        this.maxKeys = maxKeys;
        this.backoff = backoff;
        this.worker = worker;
        for (int i = 0; i < workers; i++) {
            threads.add(Thread.ofVirtual().name(name + "-" + i).unstarted(this::run));
        }
    }

    private static <K> SortedSet<Entry<K>> byTime() {
        return new TreeSet<>(
                Comparator.<Entry<K>>comparingLong(entry -> entry.dueAt).thenComparingLong(entry -> entry.number));
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /**
     * Adds a key, or hastens it where it is there already.
     *
     * @return false where the queue is full and did not take it
     */
    boolean add(K key) {
        lock.lock();
        try {
            Entry<K> known = entries.get(key);
            if (known != null) {
                known.addedAgain = true;
                if (!known.running) {
                    reschedule(
                            known, Math.min(known.dueAt, now() + backoff.first().toNanos()), false);
                }
                return true;
            }
            if (entries.size() >= maxKeys) {
                return false;
            }
            var entry = new Entry<>(key, added++, now());
            entries.put(key, entry);
            reschedule(entry, entry.dueAt, false);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many keys wait or are worked on. */
    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        return closed;
    }

    private void run() {
        try {
            while (!closed) {
                Entry<K> entry = take();
                settle(entry, work(entry));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Entry<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                if (closed) {
                    throw new InterruptedException("the queue is closed");
                }
                Entry<K> first = first();
                if (first == null) {
                    changed.await();
                    continue;
                }
                long wait = wait(first);
                if (wait <= 0) {
                    begin(first);
                    // Another thread must wait for the next key, as this one no longer does.
                    changed.signal();
                    return first;
                }
                var _ = changed.await(wait, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The entry that may be worked on first; null where none waits. */
    @GuardedBy("lock")
    private @Nullable Entry<K> first() {
        Entry<K> fresh = waiting.isEmpty() ? null : waiting.first();
        Entry<K> retried = retries.isEmpty() ? null : retries.first();
        if (fresh == null || retried == null) {
            return fresh == null ? retried : fresh;
        }
        return wait(retried) < wait(fresh) ? retried : fresh;
    }

    /** How long an entry has to wait, in nanoseconds; how long ago it could have begun where that is negative. */
    @GuardedBy("lock")
    private long wait(Entry<K> entry) {
        long wait = entry.dueAt - now();
        long budgeted = entry.retried ? budget.untilNext() : 0;
        return budgeted > 0 ? Math.max(wait, budgeted) : wait;
    }

    @GuardedBy("lock")
    private void begin(Entry<K> entry) {
        if (entry.retried) {
            retries.remove(entry);
            budget.take();
        } else {
            waiting.remove(entry);
        }
        entry.running = true;
        entry.addedAgain = false;
    }

    private Outcome work(Entry<K> entry) {
        try {
            return worker.work(entry.key, Duration.ofNanos(now() - entry.addedAt));
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.warn("{} {}: {}; it is tried again", name, entry.key, e.toString());
                LOG.debug("{} {}", name, entry.key, e);
            }
            return Outcome.RETRY;
        }
    }

    private void settle(Entry<K> entry, Outcome outcome) {
        lock.lock();
        try {
            entry.running = false;
            long first = backoff.first().toNanos();
            if (entry.retried && !(outcome instanceof Outcome.Retry)) {
                budget.giveBack();
                changed.signal();
            }
            switch (outcome) {
                case Outcome.Done() -> {
                    if (!entry.addedAgain) {
                        entries.remove(entry.key);
                        return;
                    }
                    entry.failures = 0;
                    reschedule(entry, now() + first, false);
                }
                case Outcome.After(Duration delay) -> {
                    entry.failures = 0;
                    reschedule(entry, now() + delay.toNanos(), false);
                }
                case Outcome.Retry() -> {
                    long wait = backoff.after(++entry.failures).toNanos();
                    reschedule(entry, now() + (entry.addedAgain ? first : wait), !entry.addedAgain);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void reschedule(Entry<K> entry, long dueAt, boolean retried) {
        (entry.retried ? retries : waiting).remove(entry);
        entry.dueAt = dueAt;
        entry.retried = retried;
        (retried ? retries : waiting).add(entry);
        changed.signal();
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Threads.join(threads, MAX_CLOSE);
    }
}
