package io.keelson.storage;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Reads a watch in blocking style, on the thread of the test, and checks that it wakes its reader and ends properly. */
public final class WatchReader implements AutoCloseable {
    private final Watch watch;
    private final Semaphore ready = new Semaphore(0);

    public WatchReader(Watch watch) {
        this.watch = watch;
        watch.onReady(ready::release);
    }

    /** The next event; fails where none comes. */
    public WatchEvent next() {
        long deadline = System.nanoTime() + StorageContext.PATIENCE.toNanos();
        while (true) {
            int signals = ready.drainPermits();
            WatchEvent event = watch.poll();
            if (event != null) {
                return event;
            }
            if (watch.ended()) {
                throw new AssertionError("the watch has ended");
            }
            if (signals == 0 && !await(deadline)) {
                throw new AssertionError("no event came");
            }
        }
    }

    private boolean await(long deadline) {
        try {
            boolean woken = ready.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (woken) {
                ready.release();
            }
            return woken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while an event was awaited", e);
        }
    }

    /** The next event without waiting, or null. */
    public WatchEvent poll() {
        return watch.poll();
    }

    /** The next events as short texts. */
    public List<String> take(int count) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(describe(next()));
        }
        return events;
    }

    /** The next events but for bookmarks, until the one of a revision has come. */
    public List<WatchEvent> until(long revision) {
        List<WatchEvent> events = new ArrayList<>();
        WatchEvent last;
        do {
            last = next();
            if (last.type() == WatchEventType.ERROR) {
                throw new AssertionError("the watch ended with " + describe(last) + " after " + events.size());
            }
            if (last.type() != WatchEventType.BOOKMARK) {
                events.add(last);
            }
        } while (last.resourceVersion() < revision);
        return events;
    }

    /** Waits for the end of a watch that has nothing more to give. */
    public void awaitEnd() {
        long deadline = System.nanoTime() + StorageContext.PATIENCE.toNanos();
        while (!watch.ended()) {
            WatchEvent event = watch.poll();
            if (event != null) {
                throw new AssertionError("an event came instead of the end: " + describe(event));
            }
            if (!watch.ended() && !await(deadline)) {
                throw new AssertionError("the watch does not end");
            }
            ready.drainPermits();
        }
    }

    public boolean ended() {
        return watch.ended();
    }

    /** Such as {@code ADDED a/1=x @7}. */
    public static String describe(WatchEvent event) {
        ApiObject object = event.object();
        return switch (event.type()) {
            case BOOKMARK -> "BOOKMARK @" + event.resourceVersion();
            case ERROR -> "ERROR " + new String(event.json(), java.nio.charset.StandardCharsets.UTF_8);
            default ->
                event.type() + " " + StorageContext.path(object) + "=" + StorageContext.value(object) + " @"
                        + event.resourceVersion();
        };
    }

    @Override
    public void close() {
        watch.close();
    }
}
