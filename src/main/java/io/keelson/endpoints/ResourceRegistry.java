package io.keelson.endpoints;

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
    public synchronized void install(RegistryStore store, Map<String, RestStorage> subresources) {
        ResourceDefinition definition = store.definition();
        var storages = new LinkedHashMap<>(content.storages());
        storages.put(path(definition, ""), store);
        if (definition.hasStatus()) {
            storages.put(path(definition, "status"), new StatusRest(store));
        }
        if (definition.scale() != null) {
            storages.put(path(definition, "scale"), new ScaleRest(store));
        }
        subresources.forEach((name, storage) -> storages.put(path(definition, name), storage));
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
        return content.storages().get(new Path(info.group(), info.version(), info.resource(), info.subresource()));
    }

    /** All resources that are served, in the order of their installation. */
    public List<ResourceDefinition> definitions() {
        return content.definitions();
    }
}
