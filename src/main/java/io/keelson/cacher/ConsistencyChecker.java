package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.cacher.store.Cursor;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a cache with storage at one revision, now and then, by a digest that both make page by page: whatever would let
 * them differ, such as an event that was lost, is found, told and mended by a new list. Runs on a virtual thread of its
 * own, between one and one and a half intervals after the last time. {@link #check} may be called by anyone.
 */
final class ConsistencyChecker implements AutoCloseable {
    /** How one comparison went. */
    enum Outcome {
        SUCCESS,
        FAILURE,
        ERROR,
        /** Nothing was compared: the cache is not filled, or its state is between two lists. */
        SKIPPED
    }

    private static final Logger LOG = LoggerFactory.getLogger(ConsistencyChecker.class);

    private final String resource;
    private final WatchCache cache;
    private final ListerWatcher storage;
    private final Runnable onDifference;
    private final LongAdder successes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile String difference = "";

    /** @param onDifference has the cache filled anew */
    ConsistencyChecker(String resource, WatchCache cache, ListerWatcher storage, Runnable onDifference) {
        this.resource = resource;
        this.cache = cache;
        this.storage = storage;
        this.onDifference = onDifference;
    }

    /** Begins to compare. */
    void start(Duration interval) {
        if (interval.isPositive()) {
            thread.set(Thread.ofVirtual().name("consistency-" + resource).start(() -> run(interval)));
        }
    }

    private void run(Duration interval) {
        long least = interval.toMillis();
        try {
            while (true) {
                Thread.sleep(least + ThreadLocalRandom.current().nextLong(least / 2 + 1));
                var _ = check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Outcome check() {
        WatchCache.State state = cache.settledState();
        if (state == null) {
            return Outcome.SKIPPED;
        }
        var stored = new StateDigest();
        try {
            storage.versionsAt(state.revision(), stored::add);
        } catch (StorageException e) {
            errors.increment();
            LOG.debug("The cache of {} could not be compared with storage: {}", resource, e.getMessage());
            return Outcome.ERROR;
        }
        var cached = new StateDigest();
        Cursor<ApiObject> objects = state.objects().cursor("", null);
        while (objects.next()) {
            cached.add(objects.key(), objects.value().resourceVersion());
        }
        if (cached.sameAs(stored)) {
            successes.increment();
            difference = "";
            return Outcome.SUCCESS;
        }
        difference = "the cache differs from storage at revision " + state.revision() + ": " + cached + " instead of "
                + stored;
        failures.increment();
        LOG.error("{}: {}; it is filled anew", resource, difference);
        onDifference.run();
        return Outcome.FAILURE;
    }

    ConsistencyResults results() {
        return new ConsistencyResults(successes.sum(), failures.sum(), errors.sum(), difference);
    }

    @Override
    public void close() {
        Thread running = thread.get();
        if (running != null) {
            running.interrupt();
        }
    }
}
