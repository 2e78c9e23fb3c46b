package io.keelson.controllers;

import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.registry.RegistryStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources that were served at one moment, by name and by kind. Versions do not matter: they show the same objects.
 * Immutable.
 */
final class ServedKinds {
    static final ServedKinds NONE = new ServedKinds(List.of());

    private record GroupKind(String group, String kind) {}

    private final Map<GroupResource, RegistryStore> byResource = new HashMap<>();
    private final Map<GroupKind, RegistryStore> byKind = new HashMap<>();

    /** @param stores one a resource */
    ServedKinds(Collection<RegistryStore> stores) {
        for (RegistryStore store : stores) {
            GroupVersionKind kind = store.definition().kind();
            byResource.put(store.definition().resource(), store);
            byKind.put(new GroupKind(kind.group(), kind.kind()), store);
        }
    }

    Collection<RegistryStore> stores() {
        return byResource.values();
    }

    @Nullable
    RegistryStore find(GroupResource resource) {
        return byResource.get(resource);
    }

    /** What serves a kind, null where nothing does. */
    @Nullable
    RegistryStore find(String apiVersion, String kind) {
        return byKind.get(new GroupKind(groupOf(apiVersion), kind));
    }

    static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
