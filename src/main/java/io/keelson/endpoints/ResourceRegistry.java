package io.keelson.endpoints;

import io.keelson.registry.ConvertedRest;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.ScaleRest;
import io.keelson.registry.StatusRest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which REST storage serves which path. Immutable maps behind one reference: thread-safe, read without a lock. */
public final class ResourceRegistry {
    private record Path(String group, String version, String resource, String subresource) {}

    private record Content(Map<Path, RestStorage> storages, List<ResourceDefinition> definitions) {}

    private volatile Content content = new Content(Map.of(), List.of());

    /** Installs a resource with the subresources that its definition declares and the given others. */
    public void install(RegistryStore store, Map<String, RestStorage> subresources) {
        ResourceDefinition definition = store.definition();
        var parts = new LinkedHashMap<String, RestStorage>();
        if (definition.hasStatus()) {
            parts.put("status", new StatusRest(store));
        }
        if (definition.scale() != null) {
            parts.put("scale", new ScaleRest(store));
        }
        parts.putAll(subresources);
        install(definition, store, parts);
    }

    /** Installs another version of a resource, with its status; {@code store} is of the version that objects are stored in. */
    public void installConverted(ResourceDefinition definition, RegistryStore store) {
        Map<String, RestStorage> parts = definition.hasStatus()
                ? Map.of("status", ConvertedRest.part(definition, new StatusRest(store)))
                : Map.of();
        install(definition, new ConvertedRest(definition, store), parts);
    }

    private synchronized void install(
            ResourceDefinition definition, RestStorage storage, Map<String, RestStorage> subresources) {
        var storages = new LinkedHashMap<>(content.storages());
        storages.put(path(definition, ""), storage);
        subresources.forEach((name, part) -> storages.put(path(definition, name), part));
        var definitions = new ArrayList<>(content.definitions());
        definitions.add(definition);
        content = new Content(Map.copyOf(storages), List.copyOf(definitions));
    }

    /** Installs a resource without objects of its own. */
    public synchronized void install(RestStorage storage) {
        ResourceDefinition definition = storage.definition();
        var storages = new LinkedHashMap<>(content.storages());
        storages.put(path(definition, ""), storage);
        var definitions = new ArrayList<>(content.definitions());
        definitions.add(definition);
        content = new Content(Map.copyOf(storages), List.copyOf(definitions));
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
        return content.storages().get(new Path(info.group(), info.version(), info.resource(), subresource));
    }

    /** All resources that are served, in the order of their installation. */
    public List<ResourceDefinition> definitions() {
        return content.definitions();
    }
}
