package io.keelson.controllers;

import java.time.Duration;
import java.util.List;

/** The end of a controller's threads. Stateless. */
final class Threads {
    private Threads() {}

    /** Waits for threads that were told to end, and interrupts those that do not in time. Unstarted ones do not count. */
    static void join(List<Thread> threads, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Thread thread : threads) {
            if (thread.getState() == Thread.State.NEW) {
                continue;
            }
            try {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    thread.interrupt();
                }
            } catch (InterruptedException e) {
                threads.forEach(Thread::interrupt);
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
