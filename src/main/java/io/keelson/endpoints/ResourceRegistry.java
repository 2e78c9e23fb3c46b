package io.keelson.endpoints;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.registry.ConvertedRest;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.ScaleRest;
import io.keelson.registry.StatusRest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which REST storage serves which path: resources that are there from the start, and those that come and go. Immutable maps
 * behind one reference: thread-safe, read without a lock but after a change.
 */
public final class ResourceRegistry {
    private record Path(String group, String version, String resource, String subresource) {}

    private record Served(ResourceDefinition definition, Map<Path, RestStorage> storages) {}

    private record Content(Map<Path, RestStorage> storages, List<ResourceDefinition> definitions) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Served> lasting = new ArrayList<>();

    /** The versions of each resource that may go again, by the name of its definition. */
    @GuardedBy("lock")
    private final SortedMap<String, List<Served>> passing = new TreeMap<>();

    /** Null where it is to be made anew: by who needs it next, so that many changes in a row cost one making. */
    private volatile @Nullable Content content;

    /** Installs a resource with the subresources that its definition declares and the given others. */
    public void install(RegistryStore store, Map<String, RestStorage> subresources) {
        install(served(store, subresources));
    }

    /** Installs another version of a resource, with its status; {@code store} is of the version that objects are stored in. */
    public void installConverted(ResourceDefinition definition, RegistryStore store) {
        Map<String, RestStorage> parts = definition.hasStatus()
                ? Map.of("status", ConvertedRest.part(definition, new StatusRest(store)))
                : Map.of();
        install(served(definition, new ConvertedRest(definition, store), parts));
    }

    private void install(Served served) {
        lock.lock();
        try {
            lasting.add(served);
            content = null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Serves some versions of a resource instead of those that were served by the same name before. What is installed for good
     * stays where both have a path.
     *
     * @param versions none to end it
     */
    public void replace(String name, List<RegistryStore> versions) {
        lock.lock();
        try {
            if (versions.isEmpty()) {
                passing.remove(name);
            } else {
                passing.put(
                        name,
                        versions.stream().map(store -> served(store, Map.of())).toList());
            }
            content = null;
        } finally {
            lock.unlock();
        }
    }

    private Content content() {
        Content known = content;
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            Content made = content;
            if (made == null) {
                made = makeContent();
                content = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Content makeContent() {
        var storages = new HashMap<Path, RestStorage>();
        var definitions = new ArrayList<ResourceDefinition>();
        Stream.concat(lasting.stream(), passing.values().stream().flatMap(List::stream))
                .forEach(served -> {
                    if (served.storages().keySet().stream().noneMatch(storages::containsKey)) {
                        storages.putAll(served.storages());
                        definitions.add(served.definition());
                    }
                });
        return new Content(Map.copyOf(storages), List.copyOf(definitions));
    }

    private static Served served(RegistryStore store, Map<String, RestStorage> subresources) {
        ResourceDefinition definition = store.definition();
        var parts = new HashMap<String, RestStorage>();
        if (definition.hasStatus()) {
            parts.put("status", new StatusRest(store));
        }
        if (definition.scale() != null) {
            parts.put("scale", new ScaleRest(store));
        }
        parts.putAll(subresources);
        return served(definition, store, parts);
    }

    private static Served served(
            ResourceDefinition definition, RestStorage storage, Map<String, RestStorage> subresources) {
        var storages = new HashMap<Path, RestStorage>();
        storages.put(path(definition, ""), storage);
        subresources.forEach((name, part) -> storages.put(path(definition, name), part));
        return new Served(definition, Map.copyOf(storages));
    }

    /** Installs a resource without objects of its own. */
    public void install(RestStorage storage) {
        install(served(storage.definition(), storage, Map.of()));
    }

    private static Path path(ResourceDefinition definition, String subresource) {
        return new Path(definition.kind().group(), definition.kind().version(), definition.plural(), subresource);
    }

    /** What serves a path, or null where nothing does. */
    @Nullable
    RestStorage find(RequestInfo info) {
        String part = info.subresource();
        // What follows belongs to whoever is behind the proxy.
        String subresource = part.startsWith("proxy/") ? "proxy" : part;
        return content().storages().get(new Path(info.group(), info.version(), info.resource(), subresource));
    }

    /** All resources that are served, in the order of their installation. */
    public List<ResourceDefinition> definitions() {
        return content().definitions();
    }
}
