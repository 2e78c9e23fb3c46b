package io.keelson.controllers;

import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of every object of a resource and of each of its later states: lists, watches from the list on, and
 * begins anew when the watch ends, expires or grows old. A listener may so hear of the same state twice, and need not
 * hear of a state that another soon replaced, but hears of the last. Deletions are not told. Runs on a virtual thread of
 * its own, which also calls the listener.
 */
final class ResourceFollower implements AutoCloseable {
    /** Takes the present state of an object. */
    @FunctionalInterface
    interface Listener {
        /** @return false where there is no room for it now; it is offered again later */
        boolean offer(ApiObject object);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ResourceFollower.class);

    /** How many objects are read at a time. */
    private static final int PAGE = 500;

    /** After how long a list is taken anew though the watch still runs. */
    private static final Duration MAX_WATCH = Duration.ofMinutes(10);

    /** How long {@link #close} waits for a read that is under way. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(5);

    private final RegistryStore store;
    private final Listener listener;
    private final Backoff backoff;
    private final InstantSource clock;
    private final Thread thread;

    /** Has a permit when the watch may have something to give, or at the end. */
    private final Semaphore ready = new Semaphore(0);

    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean closed;

    ResourceFollower(RegistryStore store, Backoff backoff, InstantSource clock, Listener listener) {
        this.store = store;
        this.listener = listener;
        this.backoff = backoff;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("follower-" + store.definition()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        int failures = 0;
        while (!closed) {
            long began = System.nanoTime();
            String why;
            try {
                why = followOnce();
            } catch (StorageException | ApiException e) {
                why = String.valueOf(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                why = e.toString();
                LOG.warn("Following {} failed", store.definition(), e);
            }
            // A round that ends as soon as it has begun counts as a failure, whatever ended it.
            boolean lasted = System.nanoTime() - began > backoff.last().toNanos();
            failures = lasted ? 1 : failures + 1;
            if (!closed) {
                LOG.debug("Following {} begins anew: {}", store.definition(), why);
            }
            if (!pause(backoff.after(failures))) {
                return;
            }
        }
    }

    private boolean pause(Duration wait) {
        try {
            return !closing.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Lists, then watches; returns why it ended. */
    private String followOnce() throws InterruptedException {
        long revision = 0;
        String token = "";
        do {
            ListResult page = store.list(context(), ListOptions.LATEST.withPage(PAGE, token));
            for (ApiObject object : page.items()) {
                if (!listener.offer(object)) {
                    return "there is no room for more work";
                }
            }
            revision = page.resourceVersion();
            token = page.continueToken();
        } while (!token.isEmpty() && !closed);
        ListOptions fromThere = ListOptions.LATEST.withResourceVersion(revision).withAllowBookmarks(true);
        try (Watch watch = store.watch(context(), "", fromThere)) {
            watch.onReady(ready::release);
            return readAll(watch);
        }
    }

    private String readAll(Watch watch) throws InterruptedException {
        long deadline = System.nanoTime() + MAX_WATCH.toNanos();
        while (!closed) {
            ready.drainPermits();
            for (WatchEvent event = watch.poll(); event != null; event = watch.poll()) {
                if (event.type() == WatchEventType.ERROR) {
                    return message(event);
                }
                ApiObject object = event.object();
                if (object != null && event.type() != WatchEventType.DELETED && !listener.offer(object)) {
                    return "there is no room for more work";
                }
            }
            if (watch.ended()) {
                return "the watch ended";
            }
            if (closed || !ready.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                break;
            }
        }
        return closed ? "it is closed" : "the list is taken anew from time to time";
    }

    private static String message(WatchEvent error) {
        try {
            return Json.parseTrusted(error.json()).path("message").asText();
        } catch (BadJsonException e) {
            return "the watch ended with an error";
        }
    }

    private RequestContext context() {
        return RequestContext.internal("", clock.instant());
    }

    @Override
    public void close() {
        closed = true;
        closing.countDown();
        ready.release();
        Threads.join(List.of(thread), MAX_CLOSE);
    }
}
