package io.keelson.controllers;

import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a consumer all objects of a small resource, at the start and again whenever one of them has come, changed or gone.
 * Changes that come close together are given as one. Runs on a virtual thread of its own, which also calls the consumer; a
 * state that the consumer throws on is given again.
 */
final class StateFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFollower.class);

    /** After how long the state is given anew though nothing is heard. */
    private static final Duration RESYNC = Duration.ofMinutes(10);

    /** How long {@link #close} waits for a round that is under way. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(5);

    private final RegistryStore store;
    private final Consumer<List<ApiObject>> consumer;
    private final Backoff backoff;
    private final InstantSource clock;
    private final Thread thread;

    /** Has a permit when the watch may have something to give, or at the end. */
    private final Semaphore ready = new Semaphore(0);

    private volatile boolean closed;

    StateFollower(RegistryStore store, Backoff backoff, InstantSource clock, Consumer<List<ApiObject>> consumer) {
        this.store = store;
        this.backoff = backoff;
        this.clock = clock;
        this.consumer = consumer;
        this.thread = Thread.ofVirtual().name("state-of-" + store.definition()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        int failures = 0;
        try {
            while (!closed) {
                long began = System.nanoTime();
                try {
                    follow();
                } catch (StorageException | ApiException e) {
                    LOG.debug("Following {} begins anew: {}", store.definition(), e.getMessage());
                } catch (RuntimeException e) {
                    LOG.warn("Following {} failed", store.definition(), e);
                }
                boolean lasted = System.nanoTime() - began > backoff.last().toNanos();
                failures = lasted ? 1 : failures + 1;
                if (!closed) {
                    Thread.sleep(backoff.after(failures));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow() throws InterruptedException {
        long revision = give(ListOptions.LATEST);
        long deadline = System.nanoTime() + RESYNC.toNanos();
        try (Watch watch = store.watch(
                context(), "", ListOptions.LATEST.withResourceVersion(revision).withAllowBookmarks(true))) {
            watch.onReady(ready::release);
            while (!closed) {
                ready.drainPermits();
                long changed = lastChange(watch);
                if (changed > revision) {
                    revision = give(ListOptions.LATEST
                            .withResourceVersion(changed)
                            .withMatch(ResourceVersionMatch.NOT_OLDER_THAN));
                    continue;
                }
                if (changed < 0
                        || watch.ended()
                        || !ready.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        }
    }

    /** The revision of the last change that the watch tells of; 0 where it tells of none, negative at its end. */
    private static long lastChange(Watch watch) {
        long last = 0;
        for (WatchEvent event = watch.poll(); event != null; event = watch.poll()) {
            if (event.type() == WatchEventType.ERROR) {
                return -1;
            }
            if (event.type() != WatchEventType.BOOKMARK) {
                last = event.resourceVersion();
            }
        }
        return last;
    }

    private long give(ListOptions options) {
        ListResult state = store.list(context(), options);
        consumer.accept(state.items());
        return state.resourceVersion();
    }

    private RequestContext context() {
        return RequestContext.internal("", clock.instant());
    }

    @Override
    public void close() {
        closed = true;
        ready.release();
        thread.interrupt();
        Threads.join(List.of(thread), MAX_CLOSE);
    }
}
