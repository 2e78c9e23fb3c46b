package io.keelson.endpoints.discovery;

import io.keelson.registry.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One state of the list of served resources, sorted into groups and versions. Immutable. */
public final class ServedResources {
    private final List<ResourceDefinition> source;
    private final SortedMap<GroupVersion, List<ResourceDefinition>> byVersion;

    public ServedResources(List<ResourceDefinition> resources) {
        source = List.copyOf(resources);
        byVersion = new TreeMap<>(GroupVersion.ORDER);
        for (ResourceDefinition resource : source) {
            byVersion
                    .computeIfAbsent(groupVersion(resource), any -> new ArrayList<>())
                    .add(resource);
        }
        byVersion.replaceAll((version, list) -> list.stream()
                .sorted(Comparator.comparing(ResourceDefinition::plural))
                .toList());
    }

    public static GroupVersion groupVersion(ResourceDefinition resource) {
        return new GroupVersion(resource.kind().group(), resource.kind().version());
    }

    /** Whether this was made of such a list. */
    public boolean madeOf(List<ResourceDefinition> resources) {
        return source.equals(resources);
    }

    /** All versions of all groups, in order. */
    public List<GroupVersion> versions() {
        return List.copyOf(byVersion.keySet());
    }

    /** The versions of one group, the preferred one first; empty where the group is not served. */
    public List<GroupVersion> versions(String group) {
        return byVersion.keySet().stream()
                .filter(version -> version.group().equals(group))
                .toList();
    }

    /** The groups but for the core group, in order. */
    public List<String> namedGroups() {
        return byVersion.keySet().stream()
                .map(GroupVersion::group)
                .filter(group -> !group.isEmpty())
                .distinct()
                .toList();
    }

    public boolean serves(GroupVersion version) {
        return byVersion.containsKey(version);
    }

    /** The resources of a version by name; empty where it is not served. */
    public List<ResourceDefinition> resources(GroupVersion version) {
        return byVersion.getOrDefault(version, List.of());
    }
}
