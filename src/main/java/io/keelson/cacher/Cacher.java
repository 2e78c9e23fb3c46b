package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageErrors;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.util.HashMap;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The watch cache of one resource: one reflector in, any number of reads and watchers out. All watchers share its one
 * storage watch.
 *
 * <p><b>Invariants.</b> One thread at a time takes changes in ({@link WatchCacheFeed}). A change is in the window before it is
 * offered to watchers. {@link WatchCacheFeed#dispatchedRevision} is R only when all events up to R were offered. A read that asks for
 * revision N is never answered from less.
 *
 * <p>Thread-safe. {@link #tick} is to be called about once a second.
 */
public final class Cacher implements AutoCloseable {
    /** How long before its deadline a watcher hears how far it is, so that it can go on from there. */
    private static final Duration BOOKMARK_BEFORE_DEADLINE = Duration.ofSeconds(2);

    /** How fast the time to come back grows while the cache is not ready, and how far: those of kube-apiserver. */
    private static final double RETRY_GROWTH = 0.06;

    private static final int MAX_RETRY_SECONDS = 30;

    private final String resourcePrefix;
    private final ListerWatcher source;
    private final CacherOptions options;
    private final WatchCache cache;
    private final WatcherIndex watchers = new WatcherIndex();
    private final BookmarkSchedule bookmarks = new BookmarkSchedule();
    private final SharedRevision sharedRevision;
    private final ConditionalProgressRequester progress;
    private final LagTracker lag;
    private final WatchCacheFeed feed;
    private final ConsistencyChecker checker;
    private final Reflector reflector;
    private final AtomicLong nextWatcherId = new AtomicLong();
    private final LongAdder consistentReads = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final long startedNanos = System.nanoTime();
    private volatile boolean closed;

    /** @param resourcePrefix where the resource's keys begin, with a slash at its end */
    public Cacher(String resourcePrefix, ListerWatcher source, CacherOptions options) {
        this(resourcePrefix, source, options, HistoryBudget.unlimited());
    }

    /**
     * @param resourcePrefix where the resource's keys begin, with a slash at its end
     * @param budget the memory that the windows of several caches share
     */
    public Cacher(String resourcePrefix, ListerWatcher source, CacherOptions options, HistoryBudget budget) {
        this(resourcePrefix, source, options, budget, new Backoff(new SplittableRandom(), Backoff.FIRST, Backoff.LAST));
    }

    Cacher(String resourcePrefix, ListerWatcher source, CacherOptions options, Backoff backoff) {
        this(resourcePrefix, source, options, HistoryBudget.unlimited(), backoff);
    }

    private Cacher(
            String resourcePrefix, ListerWatcher source, CacherOptions options, HistoryBudget budget, Backoff backoff) {
        this.resourcePrefix = resourcePrefix;
        this.source = source;
        this.options = options;
        var history = new WatchCacheHistory(
                options.historySize(),
                options.maxHistorySize(),
                options.freshDuration().toNanos(),
                budget::allowsToDouble);
        this.cache = new WatchCache(history, budget);
        this.sharedRevision = new SharedRevision(source::currentRevision);
        this.progress = new ConditionalProgressRequester(this::requestProgress);
        this.lag = new LagTracker(startedNanos);
        this.feed = new WatchCacheFeed(
                resourcePrefix, source, options.replayRevisions(), cache, budget, watchers, progress, lag);
        this.reflector = new Reflector(resourcePrefix, source, feed, backoff);
        this.checker = new ConsistencyChecker(resourcePrefix, cache, source, this::fillAnew);
    }

    private void requestProgress() {
        reflector.requestProgress();
    }

    private void fillAnew() {
        feed.distrust();
        reflector.listAgain("the cache differs from storage");
    }

    /** Begins to follow storage. Returns at once; see {@link #ready}. */
    public void start() {
        reflector.start();
        checker.start(options.consistencyCheckInterval());
    }

    /**
     * Reads all objects again, since storage shows them in another form from now on. Watches go on and are told nothing, as nothing
     * has been written. Blocks.
     *
     * @throws StorageException where storage cannot be read, or the cache does not come as far in time: nothing has changed then
     */
    public void renew() {
        var listed = new HashMap<String, ApiObject>();
        // Changes up to the list may still be on their way in the former form; later ones are not.
        var _ = awaitFresh(source.list(listed::put));
        cache.renew(listed);
    }

    /** When a client that found the cache not ready is to come back: the later, the longer it has not been ready. */
    int retryAfterSeconds() {
        return retryAfterSeconds((System.nanoTime() - startedNanos) / 1e9);
    }

    static int retryAfterSeconds(double notReadySeconds) {
        return (int) Math.clamp(Math.exp(RETRY_GROWTH * notReadySeconds), 1, MAX_RETRY_SECONDS);
    }

    /** Whether the cache has been filled. Once ready it stays so: a storage failure makes it lag, not empty. */
    public boolean ready() {
        return feed.ready();
    }

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
     * The state as it is now or later.
     *
     * @throws StorageException.TooLargeResourceVersion where the cache does not come so far in time, so that storage is
     *     to be asked
     */
    WatchCache.State mostRecent() {
        try {
            WatchCache.State state = awaitFresh(currentRevision());
            consistentReads.increment();
            return state;
        } catch (StorageException.TooLargeResourceVersion e) {
            fallbacks.increment();
            throw e;
        }
    }

    /**
     * To be told now and then at which revision the store is, so that the cache knows how far it is behind.
     *
     * @param at when that was asked, by the monotonic clock
     */
    public void storageAt(long revision, long at) {
        if (source.supportsProgress()) {
            lag.sighted(revision, at);
        } else if (feed.ready() && feed.failure() == null) {
            // Such a store does not tell that nothing has happened to a resource: its watch runs, and that is all there
            // is
            // to know.
            lag.knownCurrent(at);
        }
    }

    /** Compares the cache with storage now. Blocks. */
    ConsistencyChecker.Outcome checkConsistency() {
        return checker.check();
    }

    /**
     * The state once it shows a revision.
     *
     * @throws StorageException.TooLargeResourceVersion where that takes longer than the freshness timeout
     */
    WatchCache.State awaitFresh(long revision) {
        WatchCache.State now = cache.state();
        if (now.revision() >= revision) {
            return now;
        }
        long began = System.nanoTime();
        try {
            while (now.revision() < revision) {
                long time = System.nanoTime();
                long left = options.freshnessTimeout().toNanos() - (time - began);
                if (left <= 0) {
                    throw new StorageException.TooLargeResourceVersion(revision, now.revision());
                }
                progress.ask(revision, time);
                now = cache.awaitLaterThan(
                        now.revision(), Math.min(left, ConditionalProgressRequester.PERIOD.toNanos()));
            }
            return now;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.Timeout("interrupted while waiting for the cache", e);
        } finally {
            waits.increment();
            waitedNanos.add(System.nanoTime() - began);
        }
    }

    /** Has the cache come to a revision soon, for a read that does not wait for that. Returns at once. */
    void freshen(long revision) {
        progress.suggest(revision, System.nanoTime());
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
            var _ = awaitFresh(asked == null ? currentRevision() : asked);
            return watchFromState(key, watchOptions);
        }
        if (asked == null) {
            var _ = awaitFresh(currentRevision());
        }
        long breaks = cache.breaks();
        if (asked == null || asked == 0) {
            WatchCache.State state = cache.state();
            return register(key, watchOptions, WatchStart.after(state.revision(), state.nextSequence()), breaks);
        }
        long sequence = cache.sequenceAfter(asked);
        if (sequence < 0) {
            return new EndedWatch(WatchEvent.error(StorageErrors.toStatus(new StorageException.Expired(
                    "too old resource version: " + asked + " (" + cache.startRevision() + ")"))));
        }
        return register(key, watchOptions, WatchStart.after(asked, sequence), breaks);
    }

    private Watch watchFromState(String key, ListOptions watchOptions) {
        long breaks = cache.breaks();
        WatchCache.State state = cache.state();
        String end = Keys.isCollection(key) ? Keys.endOf(key) : key + "\0";
        WatchEvent endMark = Boolean.TRUE.equals(watchOptions.sendInitialEvents()) && watchOptions.allowBookmarks()
                ? Bookmarks.initialEventsEnd(state.revision())
                : null;
        var start = new WatchStart(
                state.nextSequence(), state.revision(), state.objects().cursor(key, end), endMark);
        return register(key, watchOptions, start, breaks);
    }

    /** @param breaks how often the log had been broken when the start was chosen */
    private Watch register(String key, ListOptions watchOptions, WatchStart start, long breaks) {
        var self = new CacheWatcher[1];
        var watcher = new CacheWatcher(
                nextWatcherId.getAndIncrement(),
                key,
                cache.history(),
                watchOptions.predicate(),
                watchOptions.allowBookmarks(),
                start,
                feed::dispatchedRevision,
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
        } else if (cache.breaks() != breaks) {
            // Whoever broke the log may not have found it yet among the watchers.
            watcher.expire();
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
        StorageException why = feed.failure();
        WatchCacheHistory history = cache.history();
        return new CacherStatus(
                feed.ready(),
                why == null ? "" : String.valueOf(why.getMessage()),
                history.capacity(),
                history.end() - history.start(),
                cache.startRevision(),
                state.revision(),
                state.objects().size(),
                watchers.size(),
                lag.secondsSinceCurrent(System.nanoTime()),
                lag.revisionsBehind(),
                feed.eventsReceived(),
                feed.eventsDispatched(),
                feed.relists(),
                new ReadCounts(consistentReads.sum(), fallbacks.sum(), waits.sum(), waitedNanos.sum()),
                checker.results());
    }

    /** Ends the reflector and all watches. */
    @Override
    public void close() {
        closed = true;
        checker.close();
        reflector.close();
        watchers.forEach(CacheWatcher::end);
        cache.close();
    }
}
