package io.keelson.registry;

import io.keelson.api.ApiObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes to many objects several at a time: stores gather concurrent writes into one sync, and one after the other each write
 * would wait for its own. Stateless.
 */
public final class WriteWorkers {
    /** How many objects are written to at once. */
    static final int WORKERS = 16;

    private WriteWorkers() {}

    /**
     * Applies a write to each object and returns what it gave, in the order of the objects and without nulls. After the first
     * failure no further write begins, and that failure is thrown when those under way have ended.
     */
    public static <T> List<T> run(List<ApiObject> objects, Function<ApiObject, @Nullable T> write) {
        var results = new ArrayList<@Nullable T>(Collections.nCopies(objects.size(), null));
        var next = new AtomicInteger();
        var workers = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Math.min(WORKERS, objects.size()); i++) {
                workers.add(threads.submit(() -> {
                    for (int at = next.getAndIncrement(); at < objects.size(); at = next.getAndIncrement()) {
                        try {
                            results.set(at, write.apply(objects.get(at)));
                        } catch (RuntimeException e) {
                            next.set(objects.size());
                            throw e;
                        }
                    }
                }));
            }
        }
        workers.forEach(WriteWorkers::failAsItDid);
        var present = new ArrayList<T>(objects.size());
        for (T result : results) {
            if (result != null) {
                present.add(result);
            }
        }
        return present;
    }

    private static void failAsItDid(Future<?> ended) {
        try {
            ended.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after writes to many objects", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }
}
