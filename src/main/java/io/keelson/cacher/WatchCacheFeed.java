package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What comes from storage goes into the cache and then on to the watchers. Changes come from one thread at a time, the
 * {@link Reflector}'s or its watch's; anyone may ask how far it is.
 */
final class WatchCacheFeed implements Reflector.Target {
    private static final Logger LOG = LoggerFactory.getLogger(WatchCacheFeed.class);

    /** The revision of a store that nothing was written to. */
    private static final long FIRST_REVISION = 1;

    private final String resourcePrefix;
    private final ListerWatcher source;
    private final long replayRevisions;
    private final WatchCache cache;
    private final HistoryBudget budget;
    private final WatcherIndex watchers;
    private final ConditionalProgressRequester progress;
    private final LagTracker lag;
    private final LongAdder eventsReceived = new LongAdder();
    private final LongAdder eventsDispatched = new LongAdder();
    private final LongAdder relists = new LongAdder();
    private volatile boolean ready;
    private volatile long dispatchedRevision;

    /** Whether the state was found not to be storage's, so that the next list takes its place. */
    private volatile boolean wrong;

    private volatile @Nullable StorageException failure;

    /** @param replayRevisions see {@link CacherOptions} */
    WatchCacheFeed(
            String resourcePrefix,
            ListerWatcher source,
            long replayRevisions,
            WatchCache cache,
            HistoryBudget budget,
            WatcherIndex watchers,
            ConditionalProgressRequester progress,
            LagTracker lag) {
        this.resourcePrefix = resourcePrefix;
        this.source = source;
        this.replayRevisions = replayRevisions;
        this.cache = cache;
        this.budget = budget;
        this.watchers = watchers;
        this.progress = progress;
        this.lag = lag;
    }

    /** Whether the cache has been filled. */
    boolean ready() {
        return ready;
    }

    /** Why storage cannot be followed at the moment, null while it can. */
    @Nullable
    StorageException failure() {
        return failure;
    }

    /** Up to which revision all events have been offered to watchers. */
    long dispatchedRevision() {
        return dispatchedRevision;
    }

    long eventsReceived() {
        return eventsReceived.sum();
    }

    long eventsDispatched() {
        return eventsDispatched.sum();
    }

    long relists() {
        return relists.sum();
    }

    /** The state is not storage's: the next list takes its place, and the watches end. */
    void distrust() {
        wrong = true;
    }

    @Override
    public long relist(ListerWatcher from) {
        var keys = new ArrayList<String>();
        var objects = new ArrayList<ApiObject>();
        WatchCache.State known = cache.state();
        boolean filled = known.revision() > 0;
        boolean begin = wrong;
        long asked = System.nanoTime();
        PersistentSortedMap<ApiObject> same = begin ? PersistentSortedMap.empty() : known.objects();
        long revision = filled
                ? from.list((key, object) -> collect(same, key, object, keys, objects))
                : firstList(from, keys, objects);
        PersistentSortedMap<ApiObject> list = PersistentSortedMap.ofSorted(keys, objects);
        relists.increment();
        if (begin) {
            beginFrom(list, revision);
            lag.sighted(revision, asked);
        } else if (filled) {
            goOnFrom(list, revision);
            lag.sighted(revision, asked);
        } else {
            cache.fill(list, revision);
            dispatchedRevision = revision;
            lag.reached(revision);
        }
        return revision;
    }

    /** The state was wrong, and so may be what watchers have seen: they are to list again. */
    private void beginFrom(PersistentSortedMap<ApiObject> list, long revision) {
        if (revision < cache.state().revision()) {
            throw new StorageException.Unreachable("the list is older than what is known already", null);
        }
        cache.replace(list, revision);
        wrong = false;
        watchers.forEach(CacheWatcher::expire);
        advance(revision);
    }

    /** What the ring can still serve goes on: watchers see the difference as events. */
    private void goOnFrom(PersistentSortedMap<ApiObject> list, long revision) {
        long before = cache.state().revision();
        if (revision <= before) {
            return;
        }
        List<ListerWatcher.Change> changes = cache.changesTo(list, revision);
        if (!changes.isEmpty() && changes.getFirst().revision() <= before) {
            LOG.error("{}: the list shows changes before revision {} that never came", resourcePrefix, before);
            beginFrom(list, revision);
            return;
        }
        cache.beginGap(revision);
        watchers.forEach(watcher -> watcher.expireIfBetween(before, revision));
        eventsReceived.add(changes.size());
        cache.goOn(changes, revision).forEach(this::dispatch);
        budget.settle();
        advance(revision);
    }

    /** Starts a little in the past where storage still has it, so that the window holds what happened before a restart. */
    private long firstList(ListerWatcher from, List<String> keys, List<ApiObject> objects) {
        long current = from.currentRevision();
        long past = Math.max(FIRST_REVISION, Math.max(from.compactRevision(), current - replayRevisions));
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
        long asked = System.nanoTime();
        long target = ready ? 0 : source.currentRevision();
        lag.sighted(target, asked);
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
            lag.reached(revision);
        }
        budget.settle();
    }

    private void advance(long revision) {
        progress.answered();
        cache.progress(revision);
        dispatchedRevision = Math.max(revision, dispatchedRevision);
        failure = null;
        lag.reached(dispatchedRevision);
    }

    private void dispatch(WatchCacheEvent event) {
        String key = event.key();
        int namespaceEnd = key.lastIndexOf('/') + 1;
        int offers = watchers.offer(resourcePrefix, event);
        if (namespaceEnd > resourcePrefix.length()) {
            offers += watchers.offer(key.substring(0, namespaceEnd), event);
        }
        offers += watchers.offer(key, event);
        eventsDispatched.add(offers);
    }

    @Override
    public boolean awaitsProgress() {
        return !ready;
    }

    @Override
    public void onFailure(StorageException error) {
        failure = error;
    }
}
