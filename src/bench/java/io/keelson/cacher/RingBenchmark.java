package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.bench.Samples;
import io.keelson.cacher.store.PersistentSortedMap;
import io.keelson.storage.ListerWatcher.Change;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What taking a change in costs, beside a store into an array. */
@State(Scope.Benchmark)
public class RingBenchmark {
    private static final int CAPACITY = 1024;

    private final List<ApiObject> objects = Samples.objects(CAPACITY);
    private final WatchCacheHistory history =
            new WatchCacheHistory(CAPACITY, CAPACITY, Duration.ofHours(1).toNanos());
    private final WatchCache cache = new WatchCache(
            new WatchCacheHistory(CAPACITY, CAPACITY, Duration.ofHours(1).toNanos()));
    private final AtomicReferenceArray<@Nullable WatchCacheEvent> array = new AtomicReferenceArray<>(CAPACITY);
    private long next;

    /** The event and its place in the ring. */
    @Benchmark
    public Object append() {
        return history.append(event(history.end()));
    }

    /** The same and the state, as the reflector does it. */
    @Benchmark
    public Object apply() {
        next++;
        ApiObject object = objects.get((int) (next % CAPACITY));
        return cache.apply(List.of(new Change(object.meta().name(), object, next)));
    }

    /** The event and its place in an array. */
    @Benchmark
    public Object reference() {
        WatchCacheEvent event = event(next++);
        array.set((int) (event.sequence() % CAPACITY), event);
        return event;
    }

    private WatchCacheEvent event(long sequence) {
        ApiObject object = objects.get((int) (sequence % CAPACITY));
        return new WatchCacheEvent(
                sequence, object.meta().name(), object, null, sequence, System.nanoTime(), PersistentSortedMap.empty());
    }
}
