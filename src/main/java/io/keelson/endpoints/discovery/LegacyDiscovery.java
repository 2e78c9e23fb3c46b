package io.keelson.endpoints.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.registry.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** The discovery documents that are asked for one by one: APIVersions, APIGroupList, APIGroup, APIResourceList. */
final class LegacyDiscovery {
    private static final int STORAGE_HASH_BYTES = 8;

    private final ServedResources served;
    private final String serverAddress;

    LegacyDiscovery(ServedResources served, String serverAddress) {
        this.served = served;
        this.serverAddress = serverAddress;
    }

    /** What {@code /api} shows. */
    ObjectNode coreVersions() {
        ObjectNode list = Json.object().put("kind", "APIVersions");
        ArrayNode versions = list.putArray("versions");
        served.versions("").forEach(version -> versions.add(version.version()));
        list.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", serverAddress);
        return list;
    }

    /** What {@code /apis} shows. */
    ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        served.namedGroups().forEach(name -> putGroup(groups.addObject(), name));
        return list;
    }

    /** What {@code /apis/<group>} shows of a group that is served. */
    ObjectNode group(String name) {
        ObjectNode group = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        putGroup(group, name);
        return group;
    }

    private void putGroup(ObjectNode group, String name) {
        group.put("name", name);
        ArrayNode versions = group.putArray("versions");
        List<GroupVersion> all = served.versions(name);
        all.forEach(version -> putVersion(versions.addObject(), version));
        putVersion(group.putObject("preferredVersion"), all.getFirst());
    }

    private static void putVersion(ObjectNode node, GroupVersion version) {
        node.put("groupVersion", version.toString()).put("version", version.version());
    }

    /** What {@code /api/v1} and {@code /apis/<group>/<version>} show. */
    ObjectNode resources(GroupVersion version) {
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        if (!version.group().isEmpty()) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", version.toString());
        ArrayNode resources = list.putArray("resources");
        for (ResourceDefinition resource : served.resources(version)) {
            putResource(resources.addObject(), resource);
            for (Subresource part : ApiSurface.subresources(resource)) {
                putSubresource(resources.addObject(), resource, part);
            }
        }
        return list;
    }

    private static void putResource(ObjectNode node, ResourceDefinition resource) {
        node.put("name", resource.plural())
                .put("singularName", resource.singular())
                .put("namespaced", resource.namespaced())
                .put("kind", resource.kind().kind());
        putStrings(node.putArray("verbs"), ApiSurface.verbs(resource));
        if (!resource.shortNames().isEmpty()) {
            putStrings(node.putArray("shortNames"), resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            putStrings(node.putArray("categories"), resource.categories());
        }
        GroupVersionKind stored = resource.storedKind();
        if (stored != null && ApiSurface.verbs(resource).contains("watch")) {
            node.put("storageVersionHash", storageVersionHash(stored));
        }
    }

    private static void putSubresource(ObjectNode node, ResourceDefinition resource, Subresource part) {
        node.put("name", resource.plural() + "/" + part.name())
                .put("singularName", "")
                .put("namespaced", resource.namespaced());
        if (!ServedResources.groupVersion(resource)
                .equals(new GroupVersion(part.kind().group(), part.kind().version()))) {
            node.put("group", part.kind().group()).put("version", part.kind().version());
        }
        node.put("kind", part.kind().kind());
        putStrings(node.putArray("verbs"), part.verbs());
    }

    static void putStrings(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    /** Changes when the type that objects are stored as changes, which tells clients to migrate. */
    static String storageVersionHash(GroupVersionKind kind) {
        try {
            String name = kind.group() + "/" + kind.version() + "/" + kind.kind();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, STORAGE_HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
