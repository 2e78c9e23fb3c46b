package io.keelson.server;

import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherStatus;
import io.keelson.cacher.ConsistencyResults;
import io.keelson.cacher.ReadCounts;
import io.keelson.registry.ResourceDefinition;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Publishes the state of watch caches and of the store under kube-apiserver's metric names; what tells of a cache goes with it.
 * Changed by one thread at a time.
 */
final class CacheMetrics implements CustomResourceStacks.CacheListener {
    private final MeterRegistry meters;

    /** Those of the caches that may go. */
    private final Map<Cacher, List<Meter>> byCache = new ConcurrentHashMap<>();

    private CacheMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    static void register(ApiServer server, MeterRegistry meters) {
        var metrics = new CacheMetrics(meters);
        for (ResourceStack stack : server.stacks()) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                new OfCache(meters).register(cacher, stack.store().definition());
            }
        }
        server.customResources().listen(metrics);
        Gauge.builder("apiserver_storage_size_bytes", server, ApiServer::databaseBytes)
                .description("Size of the store's database, in bytes")
                .register(meters);
        Gauge.builder("keelson_watch_cache_history_bytes", server, ApiServer::historyBytes)
                .description("What the windows of all watch caches hold beside the present state, about, in bytes")
                .register(meters);
    }

    @Override
    public void added(ResourceDefinition resource, Cacher cacher) {
        byCache.put(cacher, new OfCache(meters).register(cacher, resource));
    }

    @Override
    public void removed(ResourceDefinition resource, Cacher cacher) {
        List<Meter> gone = byCache.remove(cacher);
        if (gone != null) {
            gone.forEach(meters::remove);
        }
    }

    /** Makes the meters of one cache. */
    private static final class OfCache {
        private final MeterRegistry meters;
        private final List<Meter> made = new ArrayList<>();

        OfCache(MeterRegistry meters) {
            this.meters = meters;
        }

        List<Meter> register(Cacher cacher, ResourceDefinition definition) {
            String[] tags = {"group", definition.resource().group(), "resource", definition.plural()};
            gauge("apiserver_storage_objects", "Objects in storage", cacher, tags, s -> s.objects());
            gauge(
                    "apiserver_watch_cache_resource_version",
                    "Revision that the cache shows",
                    cacher,
                    tags,
                    s -> s.revision());
            gauge(
                    "apiserver_watch_cache_capacity",
                    "Capacity of the window, in events",
                    cacher,
                    tags,
                    s -> s.capacity());
            gauge("apiserver_registered_watchers", "Watches that run", cacher, tags, s -> s.watchers());
            gauge(
                    "apiserver_watch_cache_lag_seconds",
                    "Seconds since the cache last knew that it was current",
                    cacher,
                    tags,
                    CacherStatus::secondsSinceCurrent);
            gauge(
                    "apiserver_watch_cache_lag_revisions",
                    "Revisions that the cache is behind storage",
                    cacher,
                    tags,
                    CacherStatus::revisionsBehind);
            counter(
                    "apiserver_watch_cache_events_received",
                    "Events from storage",
                    cacher,
                    tags,
                    s -> s.eventsReceived());
            counter(
                    "apiserver_watch_cache_events_dispatched",
                    "Events offered to watchers",
                    cacher,
                    tags,
                    s -> s.eventsDispatched());
            counter(
                    "apiserver_watch_cache_initializations",
                    "Times the cache was filled",
                    cacher,
                    tags,
                    s -> s.relists());
            reads("false", cacher, tags, ReadCounts::consistent);
            reads("true", cacher, tags, ReadCounts::fallbacks);
            made.add(FunctionTimer.builder(
                            "apiserver_watch_cache_read_wait",
                            cacher,
                            c -> c.status().reads().waits(),
                            c -> c.status().reads().waited(TimeUnit.SECONDS),
                            TimeUnit.SECONDS)
                    .description("How long reads waited for the cache to reach a revision, in seconds")
                    .tags(tags)
                    .register(meters));
            checks("success", cacher, tags, results -> results.successes());
            checks("failure", cacher, tags, results -> results.failures());
            checks("error", cacher, tags, results -> results.errors());
            return made;
        }

        private void reads(String fallback, Cacher cacher, String[] tags, ToDoubleFunction<ReadCounts> value) {
            made.add(FunctionCounter.builder(
                            "apiserver_watch_cache_consistent_read",
                            cacher,
                            c -> value.applyAsDouble(c.status().reads()))
                    .description("Lists of the most recent state, from the cache or else from storage")
                    .tags(tags)
                    .tag("fallback", fallback)
                    .register(meters));
        }

        private void checks(String status, Cacher cacher, String[] tags, ToDoubleFunction<ConsistencyResults> value) {
            made.add(FunctionCounter.builder(
                            "apiserver_storage_consistency_checks",
                            cacher,
                            c -> value.applyAsDouble(c.status().consistency()))
                    .description("Comparisons of the cache with storage")
                    .tags(tags)
                    .tag("status", status)
                    .register(meters));
        }

        private void gauge(
                String name, String help, Cacher cacher, String[] tags, ToDoubleFunction<CacherStatus> value) {
            made.add(Gauge.builder(name, cacher, c -> value.applyAsDouble(c.status()))
                    .description(help)
                    .tags(tags)
                    .register(meters));
        }

        private void counter(
                String name, String help, Cacher cacher, String[] tags, ToDoubleFunction<CacherStatus> value) {
            made.add(FunctionCounter.builder(name, cacher, c -> value.applyAsDouble(c.status()))
                    .description(help)
                    .tags(tags)
                    .register(meters));
        }
    }
}
