package io.keelson.server;

import io.keelson.api.SelectableFields;
import io.keelson.apiextensions.CustomResource;
import io.keelson.apiextensions.conversion.ConvertedObjects;
import io.keelson.apiextensions.conversion.VersionedStorage;
import io.keelson.cacher.Cacher;
import io.keelson.cacher.HistoryBudget;
import io.keelson.controllers.CustomResourceController;
import io.keelson.endpoints.ResourceRegistry;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.storage.kv.KvStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The layers of the custom resources that are served now: one storage and one cache a resource, and over them a registry Store
 * for each version. A change of a definition leaves storage, cache and watches in place, but for those of versions that go. Changes
 * are made by one thread; reads are thread-safe.
 */
final class CustomResourceStacks implements CustomResourceController.Server {
    /** Hears of caches; called by the thread that makes the changes. */
    interface CacheListener {
        void added(ResourceDefinition resource, Cacher cacher);

        void removed(ResourceDefinition resource, Cacher cacher);
    }

    /** How many selectable fields a stack reads; more, which come by many changes, begin with a new one. */
    private static final int MAX_FIELDS = 64;

    /** The view that the server itself has, of the storage version whether or not that is served. */
    private static final String INTERNAL = "";

    /**
     * What all versions of a resource share, and what each has.
     *
     * @param fields whose values stored objects carry
     * @param views by version
     * @param stored the Store of the storage version
     */
    private record Stack(
            CustomResource resource,
            ResourceStack.Layers layers,
            SelectableFields fields,
            Map<String, VersionedStorage> views,
            RegistryStore stored) {
        String uid() {
            return resource.definition().meta().uid();
        }
    }

    private final ResourceRegistry registry;
    private final KvStore kv;
    private final KeelsonConfig config;
    private final HistoryBudget budget;
    private final Admission admission;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final ConvertedObjects converted = new ConvertedObjects();
    private final Map<String, Stack> stacks = new ConcurrentHashMap<>();
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Duration schemaIdle;

    /** When it was looked which schemas are in use, by the monotonic clock; of the thread that ticks. */
    private long lookedAt = System.nanoTime();

    private volatile boolean closed;
    private volatile Runnable onChange = () -> {};

    CustomResourceStacks(
            ResourceRegistry registry,
            KvStore kv,
            KeelsonConfig config,
            HistoryBudget budget,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        this.registry = registry;
        this.kv = kv;
        this.config = config;
        this.budget = budget;
        this.admission = admission;
        this.clock = clock;
        this.random = random;
        this.schemaIdle = config.customResources().schemaIdle();
    }

    /** Sets who is told that resources have come, gone or changed their stores. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /** To be called before any resource is served. */
    void listen(CacheListener listener) {
        listeners.add(listener);
    }

    @Override
    public void serve(String name, CustomResource resource) {
        if (closed) {
            return;
        }
        Stack before = stacks.get(name);
        SelectableFields fields = before == null ? resource.fields() : both(before.fields(), resource.fields());
        boolean goesOn = before != null
                && before.uid().equals(resource.definition().meta().uid())
                && fields.paths().size() <= MAX_FIELDS;
        if (before != null && !goesOn) {
            remove(name);
        }
        if (before == null || !goesOn) {
            serve(name, resource, layers(resource), resource.fields(), Map.of());
            return;
        }
        ResourceStack.Layers layers = before.layers();
        if (!resource.decodesAs(before.resource())
                || !fields.paths().equals(before.fields().paths())) {
            layers.underlying().decodeBy(resource.decoder(fields));
            if (layers.cacher() != null) {
                layers.cacher().renew();
            }
        }
        serve(name, resource, layers, fields, before.views());
    }

    private static SelectableFields both(SelectableFields some, SelectableFields more) {
        return SelectableFields.of(Stream.concat(some.paths().stream(), more.paths().stream())
                .distinct()
                .toList());
    }

    private ResourceStack.Layers layers(CustomResource resource) {
        ResourceDefinition stored = resource.stored();
        ResourceStack.Layers layers = ResourceStack.layers(
                stored,
                resource.decoder(resource.fields()),
                ResourceStack.prefix(config, stored),
                kv,
                config,
                budget,
                clock);
        if (layers.cacher() != null) {
            layers.cacher().start();
            listeners.forEach(listener -> listener.added(stored, layers.cacher()));
        }
        return layers;
    }

    /** @param before what there is of views; those that are of no version any more end */
    private void serve(
            String name,
            CustomResource resource,
            ResourceStack.Layers layers,
            SelectableFields fields,
            Map<String, VersionedStorage> before) {
        var views = new HashMap<String, VersionedStorage>();
        var served = new ArrayList<RegistryStore>();
        for (ResourceDefinition version : resource.served()) {
            VersionedStorage view = view(version.kind().version(), resource, version, layers, fields, before);
            views.put(version.kind().version(), view);
            served.add(store(version, view));
        }
        VersionedStorage internal = view(INTERNAL, resource, resource.stored(), layers, fields, before);
        views.put(INTERNAL, internal);
        stacks.put(name, new Stack(resource, layers, fields, Map.copyOf(views), store(resource.stored(), internal)));
        registry.replace(name, served);
        onChange.run();
        before.forEach((version, view) -> {
            if (!views.containsKey(version)) {
                view.close();
            }
        });
    }

    private VersionedStorage view(
            String key,
            CustomResource resource,
            ResourceDefinition version,
            ResourceStack.Layers layers,
            SelectableFields fields,
            Map<String, VersionedStorage> before) {
        VersionedStorage known = before.get(key);
        if (known == null) {
            return new VersionedStorage(layers.storage(), resource.view(version, fields, converted), fields);
        }
        known.show(resource.view(version, fields, converted), fields);
        return known;
    }

    private RegistryStore store(ResourceDefinition version, VersionedStorage view) {
        return new RegistryStore(version, view, ResourceStack.prefix(config, version), admission, random);
    }

    @Override
    public void remove(String name) {
        Stack stack = stacks.remove(name);
        if (stack == null) {
            return;
        }
        registry.replace(name, List.of());
        onChange.run();
        stack.views().values().forEach(VersionedStorage::close);
        Cacher cacher = stack.layers().cacher();
        if (cacher != null) {
            listeners.forEach(listener -> listener.removed(stack.resource().stored(), cacher));
        }
        stack.layers().storage().close();
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

    /** The resources that have a cache, in no order. */
    Map<ResourceDefinition, Cacher> caches() {
        var caches = new HashMap<ResourceDefinition, Cacher>();
        for (Stack stack : stacks.values()) {
            if (stack.layers().cacher() != null) {
                caches.put(stack.resource().stored(), stack.layers().cacher());
            }
        }
        return caches;
    }

    /** Sends the bookmarks that are due, and drops what has not been used for a while. To be called about once a second. */
    void tick() {
        caches().values().forEach(Cacher::tick);
        if (System.nanoTime() - lookedAt >= schemaIdle.toNanos()) {
            lookedAt = System.nanoTime();
            stacks.values().forEach(stack -> stack.resource().dropUnused());
        }
    }

    /** Lets caches know how far storage is. */
    void storageAt(long revision, long askedNanos) {
        caches().values().forEach(cacher -> cacher.storageAt(revision, askedNanos));
    }

    void close() {
        closed = true;
        stacks.values().forEach(stack -> stack.layers().storage().close());
    }
}
