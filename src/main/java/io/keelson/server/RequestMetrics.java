package io.keelson.server;

import io.keelson.endpoints.RequestObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times API requests under kube-apiserver's metric names. Thread-safe. */
final class RequestMetrics implements RequestObserver {
    /** Upper bounds of the histogram, as kube-apiserver's boards expect them. */
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5), Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100),
        Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(600), Duration.ofMillis(800),
        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10),
        Duration.ofSeconds(30), Duration.ofSeconds(60)
    };

    private record Key(
            String verb, String group, String version, String resource, String subresource, String scope, int code) {}

    private record Meters(Counter total, Timer duration) {}

    private final MeterRegistry registry;
    private final ConcurrentHashMap<Key, Meters> meters = new ConcurrentHashMap<>();

    RequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void observe(Observation seen) {
        var key = new Key(
                seen.verb(),
                seen.group(),
                seen.version(),
                seen.resource(),
                seen.subresource(),
                seen.scope(),
                seen.code());
        Meters counted = meters.computeIfAbsent(key, this::make);
        counted.total().increment();
        counted.duration().record(seen.nanos(), TimeUnit.NANOSECONDS);
    }

    private Meters make(Key key) {
        String[] tags = {
            "verb",
            key.verb(),
            "group",
            key.group(),
            "version",
            key.version(),
            "resource",
            key.resource(),
            "subresource",
            key.subresource(),
            "scope",
            key.scope(),
            "component",
            "apiserver",
            "dry_run",
            ""
        };
        Counter total = Counter.builder("apiserver_request")
                .description("Requests to the API by verb, resource and answer")
                .tags(tags)
                .tag("code", Integer.toString(key.code()))
                .register(registry);
        Timer duration = Timer.builder("apiserver_request_duration")
                .description("How long requests to the API took, in seconds")
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        return new Meters(total, duration);
    }
}
