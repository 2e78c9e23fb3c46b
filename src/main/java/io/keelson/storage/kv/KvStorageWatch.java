package io.keelson.storage.kv;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageErrors;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watch straight on the store, used where no cache stands before it. Buffers at most {@value #MAX_QUEUED} events beside
 * the initial ones: a consumer that falls further behind is ended with 410, as there is no shared log to catch up from.
 */
final class KvStorageWatch implements Watch, KvWatchSink {
    private static final int MAX_QUEUED = 10_000;

    private final Function<KeyValue, ApiObject> decode;
    private final SelectionPredicate predicate;
    private final boolean allowBookmarks;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Iterator<ApiObject> initial = Collections.emptyIterator();

    @GuardedBy("lock")
    private @Nullable WatchEvent initialEnd;

    @GuardedBy("lock")
    private final ArrayDeque<WatchEvent> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean closed;

    private volatile long startRevision;
    private volatile Runnable callback = () -> {};
    private volatile @Nullable KvWatch source;

    private KvStorageWatch(Function<KeyValue, ApiObject> decode, ListOptions options) {
        this.decode = decode;
        this.predicate = options.predicate();
        this.allowBookmarks = options.allowBookmarks();
    }

    static Watch start(
            Storage storage, KvStore store, Function<KeyValue, ApiObject> decode, String key, ListOptions options) {
        var watch = new KvStorageWatch(decode, options);
        Long asked = options.resourceVersion();
        boolean fromNow = asked == null || asked == 0;
        boolean initialEvents = options.sendInitialEvents() == null ? fromNow : options.sendInitialEvents();
        long after;
        if (initialEvents) {
            after = watch.fillInitialEvents(storage, key, options);
        } else {
            after = asked == null || fromNow ? storage.currentResourceVersion() : asked;
        }
        watch.startRevision = after;
        String end = Keys.isCollection(key) ? Keys.endOf(key) : key + "\0";
        KvWatch source = store.watch(key, end, after + 1, watch);
        watch.source = source;
        if (watch.isClosed()) {
            source.close();
        }
        return watch;
    }

    private long fillInitialEvents(Storage storage, String key, ListOptions options) {
        ListResult list = storage.getList(
                key,
                ListOptions.LATEST
                        .withResourceVersion(options.resourceVersion())
                        .withMatch(
                                options.resourceVersion() == null
                                        ? ResourceVersionMatch.UNSET
                                        : ResourceVersionMatch.NOT_OLDER_THAN)
                        .withPredicate(predicate));
        lock.lock();
        try {
            initial = list.items().iterator();
            if (Boolean.TRUE.equals(options.sendInitialEvents()) && allowBookmarks) {
                initialEnd = Bookmarks.initialEventsEnd(list.resourceVersion());
            }
        } finally {
            lock.unlock();
        }
        return list.resourceVersion();
    }

    @Override
    public void onEvents(List<KvEvent> events) {
        for (KvEvent event : events) {
            try {
                WatchEvent seen = asSeen(event);
                if (seen != null) {
                    offer(seen);
                }
            } catch (StorageException e) {
                onError(e);
                return;
            }
        }
    }

    private @Nullable WatchEvent asSeen(KvEvent event) {
        byte[] value = event.value();
        KeyValue previous = event.previous();
        if (value == null && previous == null) {
            throw new StorageException.Expired("the state before the deletion at revision " + event.revision()
                    + " has been compacted; list again and watch from there");
        }
        ApiObject now =
                value == null ? null : decode.apply(new KeyValue(event.key(), value, 0, event.revision(), 0, 0));
        ApiObject before = previous == null ? null : decode.apply(previous);
        boolean matches = now != null && predicate.matches(now);
        boolean matched = before != null && predicate.matches(before);
        if (matches && now != null) {
            return WatchEvent.of(matched ? WatchEventType.MODIFIED : WatchEventType.ADDED, now);
        }
        return matched && before != null
                ? WatchEvent.of(WatchEventType.DELETED, before.withResourceVersion(event.revision()))
                : null;
    }

    @Override
    public void onProgress(long revision) {
        if (allowBookmarks && revision >= startRevision) {
            offer(Bookmarks.progress(revision));
        }
    }

    @Override
    public void onError(StorageException error) {
        lock.lock();
        try {
            if (!ended && !closed) {
                queue.add(WatchEvent.error(StorageErrors.toStatus(error)));
                ended = true;
            }
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    private void offer(WatchEvent event) {
        lock.lock();
        try {
            if (ended || closed) {
                return;
            }
            if (queue.size() >= MAX_QUEUED) {
                queue.clear();
                queue.add(WatchEvent.error(StorageErrors.toStatus(new StorageException.Expired(
                        "the watch fell " + MAX_QUEUED + " events behind; list again and watch from there"))));
                ended = true;
            } else {
                queue.add(event);
            }
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    @Override
    public @Nullable WatchEvent poll() {
        lock.lock();
        try {
            if (initial.hasNext()) {
                return WatchEvent.of(WatchEventType.ADDED, initial.next());
            }
            WatchEvent end = initialEnd;
            initialEnd = null;
            return end == null ? queue.poll() : end;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady(Runnable ready) {
        callback = ready;
        ready.run();
    }

    @Override
    public boolean ended() {
        lock.lock();
        try {
            return closed || (ended && queue.isEmpty() && !initial.hasNext() && initialEnd == null);
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            initial = Collections.emptyIterator();
            initialEnd = null;
        } finally {
            lock.unlock();
        }
        KvWatch running = source;
        if (running != null) {
            running.close();
        }
    }
}
