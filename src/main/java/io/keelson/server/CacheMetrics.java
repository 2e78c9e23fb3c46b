package io.keelson.server;

import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherStatus;
import io.keelson.registry.ResourceDefinition;
import io.keelson.storage.kv.StoreStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Publishes the state of watch caches and of the store under kube-apiserver's metric names. */
final class CacheMetrics {
    private CacheMetrics() {}

    static void register(ApiServer server, MeterRegistry meters) {
        for (ResourceStack stack : server.stacks()) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                register(cacher, stack.store().definition(), server, meters);
            }
        }
        Gauge.builder("apiserver_storage_size_bytes", server, ApiServer::databaseBytes)
                .description("Size of the store's database, in bytes")
                .register(meters);
    }

    private static void register(Cacher cacher, ResourceDefinition definition, ApiServer server, MeterRegistry meters) {
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
        Gauge.builder("apiserver_watch_cache_lag_revisions", cacher, c -> lag(c, server))
                .description("Revisions that the cache is behind storage")
                .tags(tags)
                .register(meters);
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
    }

    private static double lag(Cacher cacher, ApiServer server) {
        StoreStatus status = server.probe().last().status();
        return status == null
                ? 0
                : Math.max(0, status.revision() - cacher.status().revision());
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
