package io.keelson.registry;

import io.keelson.api.ApiObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the objects of a collection several at a time: stores gather concurrent writes into one sync, and one after the
 * other each deletion would wait for its own. Stateless.
 */
final class DeletionWorkers {
    /** How many objects of one collection are deleted at once. */
    static final int WORKERS = 16;

    private DeletionWorkers() {}

    /**
     * Applies a deletion to each object and returns what it gave, in the order of the objects and without nulls. After
     * the first failure no further deletion begins, and that failure is thrown when those under way have ended.
     */
    static List<ApiObject> run(List<ApiObject> objects, Function<ApiObject, @Nullable ApiObject> deletion) {
        var deleted = new @Nullable ApiObject[objects.size()];
        var next = new AtomicInteger();
        var workers = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Math.min(WORKERS, objects.size()); i++) {
                workers.add(threads.submit(() -> {
                    for (int at = next.getAndIncrement(); at < deleted.length; at = next.getAndIncrement()) {
                        try {
                            deleted[at] = deletion.apply(objects.get(at));
                        } catch (RuntimeException e) {
                            next.set(deleted.length);
                            throw e;
                        }
                    }
                }));
            }
        }
        workers.forEach(DeletionWorkers::failAsItDid);
        var present = new ArrayList<ApiObject>(deleted.length);
        for (ApiObject object : deleted) {
            if (object != null) {
                present.add(object);
            }
        }
        return present;
    }

    private static void failAsItDid(Future<?> ended) {
        try {
            ended.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after a collection deletion", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }
}
