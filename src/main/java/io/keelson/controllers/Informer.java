package io.keelson.controllers;

import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a sink all objects of a resource and what becomes of them: a watch that begins with the present state. It begins
 * anew, with all that there is, when the watch ends or falls behind, when the sink refuses or throws, and from time to time.
 *
 * <p>It keeps no object. Those it hands on are the cache's own, so that a sink which refers to them or to their metadata
 * costs the reference. It has a thread only while there is something to tell. The sink is called by one thread at a time.
 */
final class Informer implements AutoCloseable {
    /** Takes the states of objects. May so be told of the same state twice, and need not be told of one that another replaced. */
    interface Sink {
        /** Everything that there is comes anew; what does not come until {@link #complete} has gone. */
        default void begin() {}

        /**
         * An object that is there, or changed.
         *
         * @return false where there is no room for it now; everything comes again later
         */
        boolean put(ApiObject object);

        /** An object that has gone, in its last state. */
        default void remove(ApiObject last) {}

        /** Everything that there was has come. */
        default void complete() {}

        /** Nothing more is to be told for now. */
        default void settled() {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    /** After how long everything is told anew though the watch still runs. */
    private static final Duration RESYNC = Duration.ofMinutes(10);

    private static final ListOptions FROM_PRESENT =
            ListOptions.LATEST.withAllowBookmarks(true).withSendInitialEvents(true);

    private final RegistryStore store;
    private final Backoff backoff;
    private final InstantSource clock;
    private final Sink sink;
    private final OnDemand task;
    private volatile boolean synced;
    private volatile boolean resync;

    // What follows belongs to the task's run.
    private @Nullable Watch watch;
    private @Nullable Future<?> nextResync;
    private long beganAt;
    private int failures;
    private boolean complete;
    private boolean unsettled;

    Informer(RegistryStore store, Backoff backoff, InstantSource clock, Sink sink) {
        this.store = store;
        this.backoff = backoff;
        this.clock = clock;
        this.sink = sink;
        this.task = new OnDemand("informer-" + store.definition(), this::run);
    }

    /** Begins to follow the resource; returns at once, whether or not the store can be reached. */
    void start() {
        task.wake();
    }

    /** Whether the sink has been told everything once. */
    boolean synced() {
        return synced;
    }

    private void run() {
        while (!task.closed() && !Thread.currentThread().isInterrupted()) {
            String why = followNow();
            if (why.isEmpty()) {
                return;
            }
            end();
            if (resync) {
                resync = false;
                continue;
            }
            LOG.debug("Following {} begins anew: {}", store.definition(), why);
            // A watch that ends as soon as it has begun counts as a failure, whatever ended it.
            boolean lasted = System.nanoTime() - beganAt > backoff.last().toNanos();
            failures = lasted ? 1 : failures + 1;
            task.pause(backoff.after(failures));
        }
        if (watch != null) {
            // What was told before the end is passed on: whoever ends a resource ends its objects first.
            var _ = followNow();
            end();
        }
    }

    /** Passes on what there is; returns why it cannot go on, empty where it waits for more. */
    private String followNow() {
        try {
            if (watch == null) {
                begin();
            }
            return passOn(Objects.requireNonNull(watch));
        } catch (StorageException | ApiException e) {
            return String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Following {} failed", store.definition(), e);
            return e.toString();
        }
    }

    private void begin() {
        beganAt = System.nanoTime();
        complete = false;
        unsettled = true;
        Watch begun = store.watch(RequestContext.internal("", clock.instant()), "", FROM_PRESENT);
        watch = begun;
        sink.begin();
        begun.onReady(task::wake);
        nextResync = ForkJoinPool.commonPool().schedule(this::beginAnew, RESYNC.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void beginAnew() {
        resync = true;
        task.wake();
    }

    private void end() {
        if (nextResync != null) {
            nextResync.cancel(false);
            nextResync = null;
        }
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    private String passOn(Watch from) {
        for (WatchEvent event = from.poll(); event != null; event = from.poll()) {
            switch (event.type()) {
                case ERROR -> {
                    return message(event);
                }
                // The first one ends the initial events, since none comes within them.
                case BOOKMARK -> completeOnce();
                case DELETED -> {
                    sink.remove(Objects.requireNonNull(event.object()));
                    unsettled = true;
                }
                case ADDED, MODIFIED -> {
                    if (!sink.put(Objects.requireNonNull(event.object()))) {
                        return "there is no room for more work";
                    }
                    unsettled = true;
                }
            }
        }
        if (from.ended()) {
            return "the watch ended";
        }
        if (complete && unsettled) {
            sink.settled();
            unsettled = false;
        }
        return resync ? "everything is told anew from time to time" : "";
    }

    private void completeOnce() {
        if (!complete) {
            sink.complete();
            complete = true;
            synced = true;
        }
    }

    private static String message(WatchEvent error) {
        try {
            return Json.parseTrusted(error.json()).path("message").asText();
        } catch (BadJsonException e) {
            return "the watch ended with an error";
        }
    }

    /** Passes on what has come already, and ends; what is under way has a few seconds to end. */
    @Override
    public void close() {
        task.close();
    }
}
