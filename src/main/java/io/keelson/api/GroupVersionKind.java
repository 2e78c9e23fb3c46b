package io.keelson.api;

import static java.util.Objects.requireNonNull;

/**
 * Names the type of an object. The core group is the empty string.
 *
 * @param group the API group, empty for the core group
 * @param version the version inside the group, such as {@code v1}
 * @param kind the kind, such as {@code ConfigMap}
 */
public record GroupVersionKind(String group, String version, String kind) {
    public GroupVersionKind {
        requireNonNull(group, "group");
        requireNonNull(version, "version");
        requireNonNull(kind, "kind");
    }

    /** The {@code apiVersion} of objects of this type: {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
