package io.keelson.controllers;

import io.keelson.registry.RegistryStore;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controllers of which one at a time works on a store, however many servers share it. Started once, closed once;
 * thread-safe.
 */
public final class Controllers implements LeaderElector.Work {
    /** The controllers, by the names that settings call them. */
    public enum Name {
        GARBAGE_COLLECTOR,
        NAMESPACE_LIFECYCLE,
        VOLUME_PROTECTION;

        /** In small letters with dashes. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

    private final @Nullable GarbageCollector garbage;
    private final @Nullable NamespaceLifecycle namespaces;
    private final @Nullable VolumeProtection volumes;

    /**
     * @param wanted which to run
     * @param stores of all resources that are served at the time of the call, one a resource
     * @param storeOf the store of a resource by group and plural, which there is
     */
    public Controllers(
            Set<Name> wanted,
            Supplier<? extends Collection<RegistryStore>> stores,
            BiFunction<String, String, RegistryStore> storeOf,
            InstantSource clock) {
        this.garbage = wanted.contains(Name.GARBAGE_COLLECTOR)
                ? new GarbageCollector(stores, storeOf.apply("", "events"), clock)
                : null;
        this.namespaces = wanted.contains(Name.NAMESPACE_LIFECYCLE)
                ? new NamespaceLifecycle(storeOf.apply("", "namespaces"), stores, clock)
                : null;
        this.volumes = wanted.contains(Name.VOLUME_PROTECTION)
                ? new VolumeProtection(
                        storeOf.apply("", "persistentvolumeclaims"),
                        storeOf.apply("", "persistentvolumes"),
                        storeOf.apply("", "pods"),
                        clock)
                : null;
    }

    /** Begins the work; returns at once, whether or not the store can be reached. */
    @Override
    public void start() {
        if (garbage != null) {
            garbage.start();
        }
        if (namespaces != null) {
            namespaces.start();
        }
        if (volumes != null) {
            volumes.start();
        }
    }

    /** Says that resources have come, gone or changed their stores. */
    public void resourcesChanged() {
        if (garbage != null) {
            garbage.resourcesChanged();
        }
    }

    /** Stops the work, all at the same time; what is under way has a few seconds to end. */
    @Override
    public void close() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Stream.of(garbage, namespaces, volumes)
                    .filter(Objects::nonNull)
                    .forEach(each -> threads.execute(() -> close(each)));
        }
    }

    private static void close(AutoCloseable controller) {
        try {
            controller.close();
        } catch (Exception e) {
            LOG.warn("A controller did not end in good order", e);
        }
    }
}
