package io.keelson.server;

import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.cacher.CacheDelegator;
import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherOptions;
import io.keelson.cacher.HistoryBudget;
import io.keelson.cacher.PackingSource;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.coordination.Leases;
import io.keelson.resources.core.Reservations;
import io.keelson.resources.core.StoredReservations;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.Storage;
import io.keelson.storage.kv.KvStorage;
import io.keelson.storage.kv.KvStore;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The layers of one resource: registry Store over cacher over storage, or over storage alone.
 *
 * @param cacher null where the resource has no watch cache
 */
record ResourceStack(RegistryStore store, @Nullable Cacher cacher) {
    static ResourceStack build(
            ResourceDefinition definition,
            KvStore kv,
            KeelsonConfig config,
            HistoryBudget budget,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        String prefix = prefix(config, definition);
        var decoder = new ObjectDecoder(definition.selectableFields());
        Layers layers = layers(definition, decoder, prefix, kv, config, budget, clock);
        return new ResourceStack(
                new RegistryStore(definition, layers.storage(), prefix, admission, random), layers.cacher());
    }

    /** What is below the registry Store: the storage that it uses, and what that consists of. */
    record Layers(
            Storage storage, KvStorage underlying, @Nullable Cacher cacher) {}

    /** Where a resource's keys begin, with a slash at its end. */
    static String prefix(KeelsonConfig config, ResourceDefinition definition) {
        return prefix(config, definition.storagePath());
    }

    static Layers layers(
            ResourceDefinition definition,
            ObjectDecoder decoder,
            String prefix,
            KvStore kv,
            KeelsonConfig config,
            HistoryBudget budget,
            InstantSource clock) {
        var underlying = new KvStorage(kv, decoder, prefix, clock);
        int size = windowSize(definition, config.watchCache());
        if (size <= 0) {
            return new Layers(underlying, underlying, null);
        }
        CacherOptions options = CacherOptions.DEFAULT
                .withHistorySize(size)
                .withConsistencyCheckInterval(config.watchCache().consistencyCheckInterval());
        ListerWatcher source = definition.packedFrom() == Integer.MAX_VALUE
                ? underlying
                : new PackingSource(underlying, definition.packedFrom());
        var cacher = new Cacher(prefix, source, options, budget);
        return new Layers(new CacheDelegator(underlying, cacher, underlying::supportsProgress), underlying, cacher);
    }

    /** What the windows of all caches of a server may hold, which is a part of the heap. */
    static HistoryBudget historyBudget(KeelsonConfig config) {
        int percent = config.watchCache().heapPercent();
        if (percent < 0 || percent > 100) {
            throw new StartupException(
                    StartupException.BAD_SETTING,
                    "keelson.watch-cache.heap-percent must be between 0 and 100, not " + percent,
                    null);
        }
        return new HistoryBudget(Runtime.getRuntime().maxMemory() / 100 * percent);
    }

    /** Records of what is taken of a range, which all servers of the store share. */
    static Reservations reservations(String range, KvStore kv, KeelsonConfig config, InstantSource clock) {
        String prefix = prefix(config, "ranges/" + range);
        var storage = new KvStorage(kv, new ObjectDecoder(SelectableFields.NONE), prefix, clock);
        return new StoredReservations(storage, prefix, clock);
    }

    /** The leases of this server's own, read and written past the cache, whether or not clients are served leases. */
    static RegistryStore leases(KvStore kv, KeelsonConfig config, InstantSource clock, RandomGenerator random) {
        ResourceDefinition definition = Leases.definition();
        String prefix = prefix(config, definition);
        var storage = new KvStorage(kv, new ObjectDecoder(definition.selectableFields()), prefix, clock);
        return new RegistryStore(definition, storage, prefix, Admission.ALL, random);
    }

    private static String prefix(KeelsonConfig config, String path) {
        String root = config.storage().prefix();
        return (root.startsWith("/") ? root : "/" + root) + "/" + path + "/";
    }

    private static int windowSize(ResourceDefinition definition, KeelsonConfig.WatchCache config) {
        if (!config.enabled()) {
            return 0;
        }
        Integer own = config.sizes().get(definition.resource().toString());
        return own == null ? config.defaultSize() : own;
    }
}
