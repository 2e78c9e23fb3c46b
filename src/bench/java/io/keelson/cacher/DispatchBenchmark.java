package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.bench.Samples;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.SelectionPredicate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What an event costs from the ring to the hands of N watchers, beside N bounded queues of the JDK. */
@State(Scope.Benchmark)
public class DispatchBenchmark {
    private static final int CAPACITY = 1024;
    private static final String SCOPE = "/registry/configmaps/";

    @Param({"1", "100", "1000"})
    public int watchers;

    private final List<ApiObject> objects = Samples.objects(CAPACITY);
    private final WatchCacheHistory history =
            new WatchCacheHistory(CAPACITY, CAPACITY, Duration.ofHours(1).toNanos());
    private final List<CacheWatcher> all = new ArrayList<>();
    private final List<ArrayBlockingQueue<WatchEvent>> queues = new ArrayList<>();

    @Setup
    public void setUp() {
        for (int i = 0; i < watchers; i++) {
            var watcher = new CacheWatcher(
                    i,
                    SCOPE,
                    history,
                    SelectionPredicate.EVERYTHING,
                    false,
                    WatchStart.after(0, history.end()),
                    () -> 0,
                    () -> {});
            // Nothing in the log yet, so the poll makes it live.
            if (watcher.poll() != null) {
                throw new IllegalStateException("an event in an empty log");
            }
            all.add(watcher);
            queues.add(new ArrayBlockingQueue<>(CacheWatcher.MAX_QUEUED));
        }
    }

    @Benchmark
    public long dispatch() {
        WatchCacheEvent event = event();
        history.append(event);
        for (CacheWatcher watcher : all) {
            watcher.offer(event);
        }
        long revisions = 0;
        for (CacheWatcher watcher : all) {
            WatchEvent polled = watcher.poll();
            revisions += polled == null ? 0 : polled.resourceVersion();
        }
        return revisions;
    }

    /** Queues of the same bound, which know no selectors, no lag and no bookmarks. */
    @Benchmark
    public long reference() {
        WatchEvent event = event().seenThrough(SelectionPredicate.EVERYTHING);
        if (event == null) {
            throw new IllegalStateException("an event that nobody sees");
        }
        for (ArrayBlockingQueue<WatchEvent> queue : queues) {
            queue.add(event);
        }
        long revisions = 0;
        for (ArrayBlockingQueue<WatchEvent> queue : queues) {
            revisions += queue.remove().resourceVersion();
        }
        return revisions;
    }

    private WatchCacheEvent event() {
        long sequence = history.end();
        ApiObject object = objects.get((int) (sequence % CAPACITY));
        return new WatchCacheEvent(
                sequence,
                Samples.key((int) (sequence % CAPACITY)),
                object,
                null,
                sequence + 1,
                System.nanoTime(),
                PersistentSortedMap.empty());
    }
}
