package io.keelson.server;

import io.keelson.apiextensions.CustomResource;
import io.keelson.apiextensions.conversion.VersionedStorage;
import io.keelson.cacher.Cacher;
import io.keelson.controllers.CustomResourceController;
import io.keelson.endpoints.ResourceRegistry;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.storage.Storage;
import io.keelson.storage.kv.KvStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The layers of the custom resources that are served now: one storage and one cache a resource, and over them a registry Store
 * for each version. Changes are made by one thread; reads are thread-safe.
 */
final class CustomResourceStacks implements CustomResourceController.Server {
    /** What all versions of a resource share, and the Store of the version that is stored. */
    private record Stack(Storage storage, @Nullable Cacher cacher, RegistryStore stored) {}

    private final ResourceRegistry registry;
    private final KvStore kv;
    private final KeelsonConfig config;
    private final Admission admission;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, Stack> stacks = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile Runnable onChange = () -> {};

    CustomResourceStacks(
            ResourceRegistry registry,
            KvStore kv,
            KeelsonConfig config,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        this.registry = registry;
        this.kv = kv;
        this.config = config;
        this.admission = admission;
        this.clock = clock;
        this.random = random;
    }

    /** Sets who is told that resources have come, gone or changed their stores. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    @Override
    public void serve(String name, CustomResource resource) {
        if (closed) {
            return;
        }
        ResourceDefinition stored = resource.stored();
        String prefix = ResourceStack.prefix(config, stored);
        ResourceStack.Layers layers = ResourceStack.layers(stored, resource.decoder(), prefix, kv, config, clock);
        if (layers.cacher() != null) {
            layers.cacher().start();
        }
        var served = new ArrayList<RegistryStore>();
        for (ResourceDefinition version : resource.served()) {
            served.add(store(resource, version, layers.storage(), prefix));
        }
        Stack before = stacks.put(
                name, new Stack(layers.storage(), layers.cacher(), store(resource, stored, layers.storage(), prefix)));
        registry.replace(name, served);
        onChange.run();
        if (before != null) {
            before.storage().close();
        }
    }

    private RegistryStore store(CustomResource resource, ResourceDefinition version, Storage shared, String prefix) {
        return new RegistryStore(
                version,
                new VersionedStorage(shared, resource.view(version), resource.fields()),
                prefix,
                admission,
                random);
    }

    @Override
    public void remove(String name) {
        Stack stack = stacks.remove(name);
        if (stack != null) {
            registry.replace(name, List.of());
            onChange.run();
            stack.storage().close();
        }
    }

    @Override
    public @Nullable RegistryStore instances(String name) {
        Stack stack = stacks.get(name);
        return stack == null ? null : stack.stored();
    }

    /** One Store a resource, in no order. */
    List<RegistryStore> stores() {
        return stacks.values().stream().map(Stack::stored).toList();
    }

    /** Sends the bookmarks that are due. */
    void tick() {
        for (Stack stack : stacks.values()) {
            if (stack.cacher() != null) {
                stack.cacher().tick();
            }
        }
    }

    /** Lets caches know how far storage is. */
    void storageAt(long revision, long askedNanos) {
        for (Stack stack : stacks.values()) {
            if (stack.cacher() != null) {
                stack.cacher().storageAt(revision, askedNanos);
            }
        }
    }

    void close() {
        closed = true;
        stacks.values().forEach(stack -> stack.storage().close());
    }
}
