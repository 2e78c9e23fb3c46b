package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageErrors;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The watch cache of one resource: one reflector in, any number of reads and watchers out. All watchers share its one
 * storage watch.
 *
 * <p><b>Invariants.</b> One thread at a time takes changes in ({@link Reflector}). A change is in the window before it is
 * offered to watchers. {@link #dispatchedRevision} is R only when all events up to R were offered. A read that asks for
 * revision N is never answered from less.
 *
 * <p>Thread-safe. {@link #tick} is to be called about once a second.
 */
public final class Cacher implements AutoCloseable, Reflector.Target {
    /** How long before its deadline a watcher hears how far it is, so that it can go on from there. */
    private static final Duration BOOKMARK_BEFORE_DEADLINE = Duration.ofSeconds(2);

    /** While a read waits for a revision, how often the store is asked for progress again. */
    private static final Duration PROGRESS_PERIOD = Duration.ofMillis(100);

    /** The revision of a store that nothing was written to. */
    private static final long FIRST_REVISION = 1;

    private final String resourcePrefix;
    private final ListerWatcher source;
    private final CacherOptions options;
    private final WatchCache cache;
    private final WatcherIndex watchers = new WatcherIndex();
    private final BookmarkSchedule bookmarks = new BookmarkSchedule();
    private final SharedRevision sharedRevision;
    private final Reflector reflector;
    private final AtomicLong nextWatcherId = new AtomicLong();
    private final LongAdder eventsReceived = new LongAdder();
    private final LongAdder eventsDispatched = new LongAdder();
    private final LongAdder relists = new LongAdder();
    private final long startedNanos = System.nanoTime();
    private volatile boolean ready;
    private volatile boolean closed;
    private volatile long dispatchedRevision;
    private volatile long currentAtNanos = System.nanoTime();
    private volatile @Nullable StorageException failure;

    /** @param resourcePrefix where the resource's keys begin, with a slash at its end */
    public Cacher(String resourcePrefix, ListerWatcher source, CacherOptions options) {
        this.resourcePrefix = resourcePrefix;
        this.source = source;
        this.options = options;
        this.cache = new WatchCache(new WatchCacheHistory(
                options.historySize(),
                options.maxHistorySize(),
                options.freshDuration().toNanos()));
        this.sharedRevision = new SharedRevision(source::currentRevision);
        this.reflector = new Reflector(resourcePrefix, source, this);
    }

    /** Begins to follow storage. Returns at once; see {@link #ready}. */
    public void start() {
        reflector.start();
    }

    /** Whether the cache has been filled. Once ready it stays so: a storage failure makes it lag, not empty. */
    public boolean ready() {
        return ready;
    }

    // ---- from storage

    @Override
    public long relist(ListerWatcher from) {
        var keys = new ArrayList<String>();
        var objects = new ArrayList<ApiObject>();
        WatchCache.State known = cache.state();
        boolean filled = known.revision() > 0;
        long revision = filled
                ? from.list((key, object) -> collect(known.objects(), key, object, keys, objects))
                : firstList(from, keys, objects);
        PersistentSortedMap<ApiObject> list = PersistentSortedMap.ofSorted(keys, objects);
        relists.increment();
        if (filled) {
            goOnFrom(list, revision);
        } else {
            cache.fill(list, revision);
            dispatchedRevision = revision;
        }
        return revision;
    }

    /** What the ring can still serve goes on: watchers see the difference as events. */
    private void goOnFrom(PersistentSortedMap<ApiObject> list, long revision) {
        long before = cache.state().revision();
        cache.beginGap(revision);
        for (CacheWatcher[] group : watchers.all()) {
            for (CacheWatcher watcher : group) {
                watcher.expireIfBetween(before, revision);
            }
        }
        take(cache.changesTo(list, revision));
        advance(revision);
    }

    /** Starts a little in the past where storage still has it, so that the window holds what happened before a restart. */
    private long firstList(ListerWatcher from, List<String> keys, List<ApiObject> objects) {
        long current = from.currentRevision();
        long past = Math.max(FIRST_REVISION, Math.max(from.compactRevision(), current - options.replayRevisions()));
        while (past < current && from.supportsProgress()) {
            try {
                return from.listAt(
                        past, (key, object) -> collect(PersistentSortedMap.empty(), key, object, keys, objects));
            } catch (StorageException.Expired e) {
                keys.clear();
                objects.clear();
                // Not every store tells where its history begins: try half of the way that is left.
                past += (current - past + 1) / 2;
            }
        }
        return from.list((key, object) -> collect(PersistentSortedMap.empty(), key, object, keys, objects));
    }

    private static void collect(
            PersistentSortedMap<ApiObject> known,
            String key,
            ApiObject object,
            List<String> keys,
            List<ApiObject> objects) {
        ApiObject same = known.get(key);
        keys.add(key);
        objects.add(same != null && same.resourceVersion() == object.resourceVersion() ? same : object);
    }

    @Override
    public ListerWatcher.Sink sink() {
        long target = ready ? 0 : source.currentRevision();
        if (target <= cache.state().revision() || !source.supportsProgress()) {
            becomeReady();
        }
        return new ListerWatcher.Sink() {
            @Override
            public void onChanges(List<ListerWatcher.Change> changes) {
                take(changes);
                caughtUp();
            }

            @Override
            public void onProgress(long revision) {
                advance(revision);
                caughtUp();
            }

            private void caughtUp() {
                if (!ready && cache.state().revision() >= target) {
                    becomeReady();
                }
            }

            @Override
            public void onError(StorageException error) {
                onFailure(error);
            }
        };
    }

    private void becomeReady() {
        failure = null;
        currentAtNanos = System.nanoTime();
        ready = true;
    }

    /** Takes changes in order of revision; all of one revision are among them. */
    private void take(List<ListerWatcher.Change> changes) {
        eventsReceived.add(changes.size());
        int next = 0;
        while (next < changes.size()) {
            int first = next;
            long revision = changes.get(first).revision();
            while (next < changes.size() && changes.get(next).revision() == revision) {
                next++;
            }
            cache.apply(changes.subList(first, next)).forEach(this::dispatch);
            dispatchedRevision = Math.max(revision, dispatchedRevision);
        }
        currentAtNanos = System.nanoTime();
    }

    private void advance(long revision) {
        cache.progress(revision);
        dispatchedRevision = Math.max(revision, dispatchedRevision);
        failure = null;
        currentAtNanos = System.nanoTime();
    }

    private void dispatch(WatchCacheEvent event) {
        String key = event.key();
        int namespaceEnd = key.lastIndexOf('/') + 1;
        offer(resourcePrefix, event);
        if (namespaceEnd > resourcePrefix.length()) {
            offer(key.substring(0, namespaceEnd), event);
        }
        offer(key, event);
    }

    private void offer(String scope, WatchCacheEvent event) {
        CacheWatcher[] interested = watchers.of(scope);
        for (CacheWatcher watcher : interested) {
            watcher.offer(event);
        }
        eventsDispatched.add(interested.length);
    }

    @Override
    public boolean awaitsProgress() {
        return !ready;
    }

    @Override
    public void onFailure(StorageException error) {
        failure = error;
    }

    // ---- to readers

    /** @throws StorageException.BadRequest where a key is not one of this resource */
    void checkKey(String key) {
        var _ = Keys.check(key, resourcePrefix);
    }

    /** The cached object, or null. The state may be as old as {@link CacherStatus#secondsSinceCurrent} says. */
    @Nullable
    ApiObject cached(String key) {
        return cache.state().objects().get(key);
    }

    WatchCache cache() {
        return cache;
    }

    /** The store's current revision, asked after this call began; concurrent callers share a question. */
    long currentRevision() {
        return sharedRevision.read();
    }

    /**
     * The state once it shows a revision.
     *
     * @throws StorageException.TooLargeResourceVersion where that takes longer than the freshness timeout
     */
    WatchCache.State awaitFresh(long revision) {
        long deadline = System.nanoTime() + options.freshnessTimeout().toNanos();
        try {
            while (true) {
                WatchCache.State now = cache.state();
                if (now.revision() >= revision) {
                    return now;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new StorageException.TooLargeResourceVersion(revision, now.revision());
                }
                source.requestProgress();
                WatchCache.State reached = cache.awaitRevision(revision, Math.min(left, PROGRESS_PERIOD.toNanos()));
                if (reached != null) {
                    return reached;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.Timeout("interrupted while waiting for the cache", e);
        }
    }

    /**
     * Starts a watch.
     *
     * @param key a collection with its slash, or one object
     */
    Watch watch(String key, ListOptions watchOptions) {
        Long asked = watchOptions.resourceVersion();
        boolean initialEvents = watchOptions.sendInitialEvents() == null
                ? asked == null || asked == 0
                : watchOptions.sendInitialEvents();
        if (initialEvents) {
            return watchFromState(key, watchOptions, awaitFresh(asked == null ? currentRevision() : asked));
        }
        if (asked == null || asked == 0) {
            WatchCache.State state = asked == null ? awaitFresh(currentRevision()) : cache.state();
            return register(key, watchOptions, WatchStart.after(state.revision(), state.nextSequence()));
        }
        long sequence = cache.sequenceAfter(asked);
        if (sequence < 0) {
            return new EndedWatch(WatchEvent.error(StorageErrors.toStatus(new StorageException.Expired(
                    "too old resource version: " + asked + " (" + cache.startRevision() + ")"))));
        }
        return register(key, watchOptions, WatchStart.after(asked, sequence));
    }

    private Watch watchFromState(String key, ListOptions watchOptions, WatchCache.State state) {
        String end = Keys.isCollection(key) ? Keys.endOf(key) : key + "\0";
        WatchEvent endMark = Boolean.TRUE.equals(watchOptions.sendInitialEvents()) && watchOptions.allowBookmarks()
                ? Bookmarks.initialEventsEnd(state.revision())
                : null;
        var start = new WatchStart(
                state.nextSequence(), state.revision(), state.objects().cursor(key, end), endMark);
        return register(key, watchOptions, start);
    }

    private Watch register(String key, ListOptions watchOptions, WatchStart start) {
        var self = new CacheWatcher[1];
        var watcher = new CacheWatcher(
                nextWatcherId.getAndIncrement(),
                key,
                cache.history(),
                watchOptions.predicate(),
                watchOptions.allowBookmarks(),
                start,
                () -> dispatchedRevision,
                () -> unregister(key, self[0]));
        self[0] = watcher;
        watchers.add(key, watcher);
        if (watchOptions.allowBookmarks()) {
            Duration timeout = watchOptions.timeout();
            long deadline = timeout == null
                    ? Long.MAX_VALUE
                    : System.nanoTime()
                            + timeout.minus(BOOKMARK_BEFORE_DEADLINE).toNanos();
            bookmarks.add(watcher, System.nanoTime() + options.bookmarkPeriod().toNanos(), deadline);
        }
        if (closed) {
            watcher.close();
        }
        return watcher;
    }

    private void unregister(String key, CacheWatcher watcher) {
        watchers.remove(key, watcher);
        bookmarks.remove(watcher);
    }

    /** Sends the bookmarks that are due. */
    public void tick() {
        bookmarks.run(System.nanoTime(), options.bookmarkPeriod().toNanos());
    }

    public CacherStatus status() {
        WatchCache.State state = cache.state();
        StorageException why = failure;
        WatchCacheHistory history = cache.history();
        return new CacherStatus(
                ready,
                why == null ? "" : String.valueOf(why.getMessage()),
                history.capacity(),
                history.end() - history.start(),
                cache.startRevision(),
                state.revision(),
                state.objects().size(),
                watchers.size(),
                (System.nanoTime() - (ready ? currentAtNanos : startedNanos)) / 1e9,
                eventsReceived.sum(),
                eventsDispatched.sum(),
                relists.sum());
    }

    /** Ends the reflector and all watches. */
    @Override
    public void close() {
        closed = true;
        reflector.close();
        for (CacheWatcher[] group : watchers.all()) {
            for (CacheWatcher watcher : group) {
                watcher.end();
            }
        }
    }
}
