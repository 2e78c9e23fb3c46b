package io.keelson.server;

import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherStatus;
import io.keelson.cacher.ConsistencyResults;
import io.keelson.cacher.ReadCounts;
import io.keelson.registry.ResourceDefinition;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Publishes the state of watch caches and of the store under kube-apiserver's metric names. */
final class CacheMetrics {
    private CacheMetrics() {}

    static void register(ApiServer server, MeterRegistry meters) {
        for (ResourceStack stack : server.stacks()) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                register(cacher, stack.store().definition(), meters);
            }
        }
        Gauge.builder("apiserver_storage_size_bytes", server, ApiServer::databaseBytes)
                .description("Size of the store's database, in bytes")
                .register(meters);
    }

    private static void register(Cacher cacher, ResourceDefinition definition, MeterRegistry meters) {
        String[] tags = {"group", definition.resource().group(), "resource", definition.plural()};
        gauge("apiserver_storage_objects", "Objects in storage", cacher, tags, meters, s -> s.objects());
        gauge(
                "apiserver_watch_cache_resource_version",
                "Revision that the cache shows",
                cacher,
                tags,
                meters,
                s -> s.revision());
        gauge(
                "apiserver_watch_cache_capacity",
                "Capacity of the window, in events",
                cacher,
                tags,
                meters,
                s -> s.capacity());
        gauge("apiserver_registered_watchers", "Watches that run", cacher, tags, meters, s -> s.watchers());
        gauge(
                "apiserver_watch_cache_lag_seconds",
                "Seconds since the cache last knew that it was current",
                cacher,
                tags,
                meters,
                CacherStatus::secondsSinceCurrent);
        gauge(
                "apiserver_watch_cache_lag_revisions",
                "Revisions that the cache is behind storage",
                cacher,
                tags,
                meters,
                CacherStatus::revisionsBehind);
        counter(
                "apiserver_watch_cache_events_received",
                "Events from storage",
                cacher,
                tags,
                meters,
                s -> s.eventsReceived());
        counter(
                "apiserver_watch_cache_events_dispatched",
                "Events offered to watchers",
                cacher,
                tags,
                meters,
                s -> s.eventsDispatched());
        counter(
                "apiserver_watch_cache_initializations",
                "Times the cache was filled",
                cacher,
                tags,
                meters,
                s -> s.relists());
        reads("false", cacher, tags, meters, ReadCounts::consistent);
        reads("true", cacher, tags, meters, ReadCounts::fallbacks);
        FunctionTimer.builder(
                        "apiserver_watch_cache_read_wait",
                        cacher,
                        c -> c.status().reads().waits(),
                        c -> c.status().reads().waited(TimeUnit.SECONDS),
                        TimeUnit.SECONDS)
                .description("How long reads waited for the cache to reach a revision, in seconds")
                .tags(tags)
                .register(meters);
        checks("success", cacher, tags, meters, results -> results.successes());
        checks("failure", cacher, tags, meters, results -> results.failures());
        checks("error", cacher, tags, meters, results -> results.errors());
    }

    private static void reads(
            String fallback, Cacher cacher, String[] tags, MeterRegistry meters, ToDoubleFunction<ReadCounts> value) {
        FunctionCounter.builder(
                        "apiserver_watch_cache_consistent_read",
                        cacher,
                        c -> value.applyAsDouble(c.status().reads()))
                .description("Lists of the most recent state, from the cache or else from storage")
                .tags(tags)
                .tag("fallback", fallback)
                .register(meters);
    }

    private static void checks(
            String status,
            Cacher cacher,
            String[] tags,
            MeterRegistry meters,
            ToDoubleFunction<ConsistencyResults> value) {
        FunctionCounter.builder(
                        "apiserver_storage_consistency_checks",
                        cacher,
                        c -> value.applyAsDouble(c.status().consistency()))
                .description("Comparisons of the cache with storage")
                .tags(tags)
                .tag("status", status)
                .register(meters);
    }

    private static void gauge(
            String name,
            String help,
            Cacher cacher,
            String[] tags,
            MeterRegistry meters,
            ToDoubleFunction<CacherStatus> value) {
        Gauge.builder(name, cacher, c -> value.applyAsDouble(c.status()))
                .description(help)
                .tags(tags)
                .register(meters);
    }

    private static void counter(
            String name,
            String help,
            Cacher cacher,
            String[] tags,
            MeterRegistry meters,
            ToDoubleFunction<CacherStatus> value) {
        FunctionCounter.builder(name, cacher, c -> value.applyAsDouble(c.status()))
                .description(help)
                .tags(tags)
                .register(meters);
    }
}
