package io.keelson.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs one task on several threads that begin at the same time. */
public final class Concurrently {
    /** A task of one thread. */
    @FunctionalInterface
    public interface Task<T> {
        T run(int thread) throws Exception;
    }

    private Concurrently() {}

    /** The threads' results, in the order of their numbers from 0. */
    public static <T> List<T> run(int threads, Task<T> task) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var begin = new CountDownLatch(1);
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                Callable<T> started = () -> {
                    begin.await();
                    return task.run(thread);
                };
                running.add(executor.submit(started));
            }
            begin.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get());
            }
            return results;
        }
    }
}
