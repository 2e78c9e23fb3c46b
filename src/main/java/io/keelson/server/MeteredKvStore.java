package io.keelson.server;

import io.keelson.storage.kv.ForwardingKvStore;
import io.keelson.storage.kv.KvStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Times the calls to a store under etcd's metric name, whatever the store. Thread-safe. */
final class MeteredKvStore extends ForwardingKvStore {
    /** Upper bounds of the histogram: those of kube-apiserver's metric that its boards look at. */
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5), Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100),
        Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(600), Duration.ofMillis(800),
        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8),
        Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofSeconds(60)
    };

    private final Timer get;
    private final Timer list;
    private final Timer count;
    private final Timer write;
    private final Timer delete;

    MeteredKvStore(KvStore store, MeterRegistry meters) {
        super(store);
        this.get = timer(meters, "get");
        this.list = timer(meters, "list");
        this.count = timer(meters, "listCount");
        this.write = timer(meters, "update");
        this.delete = timer(meters, "delete");
    }

    private static Timer timer(MeterRegistry meters, String operation) {
        return Timer.builder("etcd_request_duration")
                .description("How long requests to the store took, in seconds")
                .tag("operation", operation)
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    private static <T> T timed(Timer timer, Supplier<T> call) {
        long began = System.nanoTime();
        try {
            return call.get();
        } finally {
            timer.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public GetResult get(String key) {
        return timed(get, () -> super.get(key));
    }

    @Override
    public RangeResult range(String start, String end, long revision, int limit) {
        return timed(list, () -> super.range(start, end, revision, limit));
    }

    @Override
    public long count(String start, String end) {
        return timed(count, () -> super.count(start, end));
    }

    @Override
    public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return timed(write, () -> super.put(key, value, expectedModRevision, lease));
    }

    @Override
    public WriteResult delete(String key, long expectedModRevision) {
        return timed(delete, () -> super.delete(key, expectedModRevision));
    }
}
