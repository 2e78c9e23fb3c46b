package io.keelson.apiextensions.conversion;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Status;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Watch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch of one version over the watch of the stored objects. Events pass as they are polled. Where one has to wait for a
 * converter, it and those behind it are converted together on a thread of their own, which lasts as long as that takes.
 */
final class ConvertedWatch implements Watch {
    /** How many events are converted together at most, and so how many wait to be polled. */
    private static final int MAX_EVENTS = 100;

    private final Watch source;
    private final Supplier<VersionView> view;
    private final @Nullable Selection selection;
    private final Consumer<ConvertedWatch> onClose;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<WatchEvent> ready = new ArrayDeque<>(0);

    @GuardedBy("lock")
    private boolean converting;

    @GuardedBy("lock")
    private boolean over;

    private volatile boolean ending;
    private volatile Runnable callback = () -> {};

    /**
     * @param view asked for each event, as it may change while the watch lasts
     * @param selection decides on the objects in this version; null where the source has done so
     */
    ConvertedWatch(
            Watch source, Supplier<VersionView> view, @Nullable Selection selection, Consumer<ConvertedWatch> onClose) {
        this.source = source;
        this.view = view;
        this.selection = selection;
        this.onClose = onClose;
    }

    /** What a watch selects in its version, and what it has shown of that. Used by one thread at a time. */
    static final class Selection {
        private final SelectionPredicate predicate;
        private final Map<String, ApiObject> shown = new HashMap<>();

        /** @param shown what its client has seen already */
        Selection(SelectionPredicate predicate, List<ApiObject> shown) {
            this.predicate = predicate;
            shown.forEach(object -> this.shown.put(name(object), object));
        }

        private static String name(ApiObject object) {
            return object.meta().namespace() + "/" + object.meta().name();
        }

        /** What becomes of an event by what was shown before; null where it is none for this client. */
        @Nullable
        WatchEvent of(WatchEventType type, ApiObject object) {
            boolean deleted = type == WatchEventType.DELETED;
            if (!deleted && predicate.matches(object)) {
                ApiObject before = shown.put(name(object), object);
                return WatchEvent.of(before == null ? WatchEventType.ADDED : WatchEventType.MODIFIED, object);
            }
            ApiObject before = shown.remove(name(object));
            if (before == null) {
                return null;
            }
            ApiObject last = deleted ? object : before.withResourceVersion(object.resourceVersion());
            return WatchEvent.of(WatchEventType.DELETED, last);
        }
    }

    @Override
    public @Nullable WatchEvent poll() {
        while (true) {
            lock.lock();
            try {
                WatchEvent waiting = ready.poll();
                if (waiting != null || converting || over) {
                    return waiting;
                }
            } finally {
                lock.unlock();
            }
            WatchEvent event = source.poll();
            if (event == null) {
                return null;
            }
            ApiObject stored = event.object();
            ApiObject served = stored == null ? null : view.get().servedNow(stored);
            if (stored != null && served == null) {
                convertFrom(event);
                return null;
            }
            WatchEvent shown = shown(event, served);
            if (shown != null) {
                return shown;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // what is shown as it is stored shares the frames of its event
    private @Nullable WatchEvent shown(WatchEvent event, @Nullable ApiObject served) {
        if (served == null) {
            // A copy, since an event remembers its frames, and those of a bookmark name the version.
            return event.type() == WatchEventType.BOOKMARK
                    ? WatchEvent.bookmark(event.json(), event.resourceVersion())
                    : event;
        }
        if (selection != null) {
            return selection.of(event.type(), served);
        }
        return served == event.object() ? event : WatchEvent.of(event.type(), served);
    }

    /** Begins to convert an event and those that wait behind it. */
    private void convertFrom(WatchEvent first) {
        var events = new ArrayList<WatchEvent>();
        for (WatchEvent event = first; event != null; event = events.size() < MAX_EVENTS ? source.poll() : null) {
            events.add(event);
        }
        lock.lock();
        try {
            converting = true;
        } finally {
            lock.unlock();
        }
        var _ = Thread.ofVirtual().name("watch-conversion").start(() -> convert(events));
    }

    private void convert(List<WatchEvent> events) {
        var shown = new ArrayList<WatchEvent>(events.size());
        boolean failed = false;
        try {
            List<ApiObject> stored = events.stream()
                    .map(WatchEvent::object)
                    .filter(Objects::nonNull)
                    .toList();
            var served = view.get().served(stored).iterator();
            for (WatchEvent event : events) {
                WatchEvent one = shown(event, event.object() == null ? null : served.next());
                if (one != null) {
                    shown.add(one);
                }
            }
        } catch (RuntimeException e) {
            failed = true;
            shown.clear();
            shown.add(WatchEvent.error(
                    e instanceof ApiException fault ? fault.status() : new Status(500, null, String.valueOf(e), null)));
            source.close();
        }
        lock.lock();
        try {
            converting = false;
            over |= failed;
            ready.addAll(shown);
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    @Override
    public void onReady(Runnable ready) {
        callback = ready;
        source.onReady(ready);
        if (waiting()) {
            ready.run();
        }
    }

    private boolean waiting() {
        lock.lock();
        try {
            return !ready.isEmpty() || over || ending;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean ended() {
        lock.lock();
        try {
            return ready.isEmpty() && (over || (!converting && (ending || source.ended())));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch for its client, once it has polled what there is. */
    void end() {
        ending = true;
        callback.run();
    }

    @Override
    public void close() {
        onClose.accept(this);
        source.close();
    }
}
