package io.keelson.controllers;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs when it is woken, on a virtual thread that lives only as long as there is something to do: one run at a
 * time, and one more for all that wake it meanwhile. Thread-safe.
 */
final class OnDemand implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnDemand.class);

    /** How long {@link #close} waits for a run that is under way, before it interrupts it. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(5);

    private final String name;
    private final Runnable task;

    /** How often it was woken since it last was idle; 0 while it is. */
    private final AtomicInteger wakes = new AtomicInteger();

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    /** @param task is woken a last time when this is closed, to give back what it holds */
    OnDemand(String name, Runnable task) {
        this.name = name;
        this.task = task;
    }

    void wake() {
        if (wakes.getAndIncrement() == 0) {
            thread = Thread.ofVirtual().name(name).start(this::run);
        }
    }

    private void run() {
        int seen;
        do {
            seen = wakes.get();
            boolean last = closed();
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.warn("{} failed", name, e);
            }
            if (last) {
                ended.countDown();
            }
        } while (!wakes.compareAndSet(seen, 0));
    }

    boolean closed() {
        return closing.getCount() == 0;
    }

    /** Lets the task wait, at most until this is closed. */
    void pause(Duration wait) {
        try {
            var _ = closing.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the task a last time, where it was ever woken, and waits for its end. */
    @Override
    public void close() {
        closing.countDown();
        if (thread == null) {
            return;
        }
        wake();
        try {
            if (!ended.await(MAX_CLOSE.toNanos(), TimeUnit.NANOSECONDS)) {
                interrupt();
            }
        } catch (InterruptedException e) {
            interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
