package io.keelson.registry;

import java.util.Map;

/**
 * How the objects of a version are stored as those of another, which may be of another group. The version has no storage of
 * its own, so that its objects and the stored ones are the same, with one resourceVersion, in one cache.
 *
 * @param definition of the resource that the objects are stored as
 * @param fields what the selectable fields are called there, by their names in the served version, where they differ
 */
public record StoredVersion(ResourceDefinition definition, VersionConverter converter, Map<String, String> fields) {
    public StoredVersion {
        fields = Map.copyOf(fields);
    }
}
