package io.keelson.api;

import static java.util.Objects.requireNonNull;

/**
 * Names a resource whatever its version.
 *
 * @param group the API group, empty for the core group
 * @param resource the plural name, such as {@code configmaps}
 */
public record GroupResource(String group, String resource) {
    public GroupResource {
        requireNonNull(group, "group");
        requireNonNull(resource, "resource");
    }

    /** The form that messages show: {@code configmaps} or {@code deployments.apps}. */
    @Override
    public String toString() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
