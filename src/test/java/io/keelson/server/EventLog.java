package io.keelson.server;

import io.keelson.testing.WatchClient;
import io.keelson.testing.WatchClient.Event;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What one client has seen of a collection, over as many watches as it took. For use by one thread. */
final class EventLog implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final URI collection;
    private final List<Event> events = new ArrayList<>();
    private WatchClient watch;
    private long last;

    /** Begins to watch after a revision. */
    EventLog(URI collection, long after) {
        this.collection = collection;
        this.last = after;
        resume();
    }

    /** Opens a watch that goes on after the last event. */
    void resume() {
        if (watch != null) {
            watch.close();
        }
        watch = WatchClient.open(URI.create(collection + "?watch=1&resourceVersion=" + last));
    }

    /** Takes events until the stream ends, as it does when the server is gone. */
    void takeUntilEnd() {
        for (Event event = watch.nextOrEnd(TIMEOUT); event != null; event = watch.nextOrEnd(TIMEOUT)) {
            add(event);
        }
    }

    /** Takes events up to the one with this revision, which has to come. */
    void takeUntil(long resourceVersion) {
        while (last < resourceVersion) {
            add(watch.next(TIMEOUT));
        }
    }

    List<Event> events() {
        return events;
    }

    private void add(Event event) {
        if (event.type().equals("ERROR")) {
            throw new AssertionError("The watch after " + last + " failed: " + event);
        }
        events.add(event);
        last = event.resourceVersion();
    }

    @Override
    public void close() {
        watch.close();
    }
}
