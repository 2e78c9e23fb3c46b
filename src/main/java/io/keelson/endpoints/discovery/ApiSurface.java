package io.keelson.endpoints.discovery;

import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.registry.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which verbs and subresources a resource is served with, beyond what its definition says. The one place to declare a
 * subresource that is neither {@code status} nor {@code scale}. Stateless.
 */
public final class ApiSurface {
    /** The type of every {@code scale} subresource. */
    public static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    /** Resources whose objects are deleted one by one only. */
    private static final Set<GroupResource> NO_DELETE_COLLECTION = Set.of(NAMESPACES);

    /** Subresources of single kinds. */
    private static final Map<GroupResource, List<Subresource>> EXTRA = Map.of(
            NAMESPACES,
            List.of(new Subresource("finalize", new GroupVersionKind("", "v1", "Namespace"), List.of("update"))));

    private ApiSurface() {}

    /** The verbs on the objects of a resource, in alphabetical order. */
    public static List<String> verbs(ResourceDefinition resource) {
        if (!NO_DELETE_COLLECTION.contains(resource.resource())) {
            return ALL_VERBS;
        }
        return ALL_VERBS.stream()
                .filter(verb -> !verb.equals("deletecollection"))
                .toList();
    }

    /** The subresources of a resource, in alphabetical order. */
    public static List<Subresource> subresources(ResourceDefinition resource) {
        var all = new ArrayList<>(EXTRA.getOrDefault(resource.resource(), List.of()));
        if (resource.hasStatus()) {
            all.add(new Subresource("status", resource.kind(), PART_VERBS));
        }
        if (resource.scale() != null) {
            all.add(new Subresource("scale", SCALE, PART_VERBS));
        }
        all.sort(Comparator.comparing(Subresource::name));
        return List.copyOf(all);
    }
}
