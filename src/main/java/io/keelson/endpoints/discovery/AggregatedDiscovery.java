package io.keelson.endpoints.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.registry.ResourceDefinition;
import java.util.List;

/** The discovery document that shows everything below {@code /api} or {@code /apis} at once (KEP-3352). */
final class AggregatedDiscovery {
    static final String GROUP = "apidiscovery.k8s.io";
    static final String KIND = "APIGroupDiscoveryList";

    private final ServedResources served;
    private final String version;

    /**
     * @param version of {@code apidiscovery.k8s.io}: {@code v2} or {@code v2beta1}
     */
    AggregatedDiscovery(ServedResources served, String version) {
        this.served = served;
        this.version = version;
    }

    /** What {@code /api} shows. */
    ObjectNode core() {
        return list(List.of(""));
    }

    /** What {@code /apis} shows. */
    ObjectNode named() {
        return list(served.namedGroups());
    }

    private ObjectNode list(List<String> groups) {
        ObjectNode list = Json.object().put("kind", KIND).put("apiVersion", GROUP + "/" + version);
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        for (String name : groups) {
            ObjectNode group = items.addObject();
            ObjectNode metadata = group.putObject("metadata");
            if (!name.isEmpty()) {
                metadata.put("name", name);
            }
            ArrayNode versions = group.putArray("versions");
            for (GroupVersion groupVersion : served.versions(name)) {
                putVersion(versions.addObject(), groupVersion);
            }
        }
        return list;
    }

    private void putVersion(ObjectNode node, GroupVersion groupVersion) {
        node.put("version", groupVersion.version());
        ArrayNode resources = node.putArray("resources");
        for (ResourceDefinition resource : served.resources(groupVersion)) {
            putResource(resources.addObject(), groupVersion, resource);
        }
        node.put("freshness", "Current");
    }

    private static void putResource(ObjectNode node, GroupVersion in, ResourceDefinition resource) {
        node.put("resource", resource.plural());
        putKind(node.putObject("responseKind"), in, resource.kind());
        node.put("scope", resource.namespaced() ? "Namespaced" : "Cluster")
                .put("singularResource", resource.singular());
        LegacyDiscovery.putStrings(node.putArray("verbs"), ApiSurface.verbs(resource));
        if (!resource.shortNames().isEmpty()) {
            LegacyDiscovery.putStrings(node.putArray("shortNames"), resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            LegacyDiscovery.putStrings(node.putArray("categories"), resource.categories());
        }
        List<Subresource> parts = ApiSurface.subresources(resource);
        if (!parts.isEmpty()) {
            ArrayNode subresources = node.putArray("subresources");
            for (Subresource part : parts) {
                ObjectNode child = subresources.addObject().put("subresource", part.name());
                putKind(child.putObject("responseKind"), in, part.kind());
                LegacyDiscovery.putStrings(child.putArray("verbs"), part.verbs());
            }
        }
    }

    /** Group and version are left empty where they are those of the version that lists the kind. */
    private static void putKind(ObjectNode node, GroupVersion in, GroupVersionKind kind) {
        boolean same = in.equals(new GroupVersion(kind.group(), kind.version()));
        node.put("group", same ? "" : kind.group())
                .put("version", same ? "" : kind.version())
                .put("kind", kind.kind());
    }
}
