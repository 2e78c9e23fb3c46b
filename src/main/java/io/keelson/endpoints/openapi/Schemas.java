package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.endpoints.discovery.ApiSurface;
import io.keelson.endpoints.discovery.GroupVersion;
import io.keelson.endpoints.discovery.Subresource;
import io.keelson.registry.ResourceDefinition;
import io.keelson.schema.Descriptions;
import io.keelson.schema.SchemaLibrary;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The schemas that a document needs: of some resources, their lists and subresources, and what those refer to. A kind that
 * the library does not know gets a schema that allows any field. Not thread-safe.
 */
final class Schemas {
    private static final String GVK = "x-kubernetes-group-version-kind";

    private static final String API_VERSION = "The group and version of the schema that this object follows.";
    private static final String KIND = "The kind of resource that this object is.";
    private static final String METADATA = "What all objects have, such as name and labels.";

    /** Kinds that belong to every group, as the bodies and answers of its requests. */
    private static final List<String> OF_EVERY_GROUP = List.of(SchemaLibrary.DELETE_OPTIONS, SchemaLibrary.WATCH_EVENT);

    private final SchemaLibrary library;
    private final Map<GroupVersionKind, String> names = new HashMap<>();
    private final SortedMap<String, ObjectNode> made = new TreeMap<>();

    Schemas(SchemaLibrary library) {
        this.library = library;
    }

    /** The name of the schema of a kind. */
    String nameOf(GroupVersionKind kind) {
        return names.computeIfAbsent(kind, any -> {
            String known = library.nameOf(kind);
            return known != null ? known : inventedName(kind);
        });
    }

    static GroupVersionKind listOf(GroupVersionKind kind) {
        return new GroupVersionKind(kind.group(), kind.version(), kind.kind() + "List");
    }

    /** The schemas of a document about some resources, by name. */
    SortedMap<String, ObjectNode> of(Collection<ResourceDefinition> resources) {
        var roots = new LinkedHashSet<>(OF_EVERY_GROUP);
        roots.addAll(List.of(SchemaLibrary.STATUS, SchemaLibrary.PATCH));
        var versions = new LinkedHashSet<GroupVersion>();
        for (ResourceDefinition resource : resources) {
            roots.add(object(resource));
            if (ApiSurface.verbs(resource).contains("list")) {
                roots.add(list(resource.kind()));
            }
            for (Subresource part : ApiSurface.subresources(resource)) {
                if (!part.connects()) {
                    roots.add(object(part.kind()));
                }
            }
            versions.add(
                    new GroupVersion(resource.kind().group(), resource.kind().version()));
        }
        roots.addAll(List.of(SchemaLibrary.OBJECT_META, SchemaLibrary.LIST_META));
        SortedMap<String, ObjectNode> all = library.reachable(roots);
        all.putAll(made);
        Descriptions.addTo(all);
        OF_EVERY_GROUP.forEach(name -> all.computeIfPresent(name, (key, schema) -> {
            addKinds(schema, name, versions);
            return schema;
        }));
        return all;
    }

    private static void addKinds(ObjectNode schema, String name, Collection<GroupVersion> versions) {
        String kind = name.substring(name.lastIndexOf('.') + 1);
        for (GroupVersion version : versions) {
            if (!version.equals(new GroupVersion("", "v1"))) {
                putKind(schema, new GroupVersionKind(version.group(), version.version(), kind));
            }
        }
    }

    private String object(ResourceDefinition resource) {
        ObjectNode own = library.nameOf(resource.kind()) == null ? resource.openApiSchema() : null;
        if (own == null) {
            return object(resource.kind());
        }
        String name = nameOf(resource.kind());
        made.put(name, completed(own, resource.kind()));
        return name;
    }

    /** The schema of a custom resource with the fields that all kinds have. */
    private static ObjectNode completed(ObjectNode schema, GroupVersionKind kind) {
        ObjectNode properties =
                schema.get("properties") instanceof ObjectNode there ? there : schema.putObject("properties");
        properties.putObject("apiVersion").put("type", "string").put("description", API_VERSION);
        properties.putObject("kind").put("type", "string").put("description", KIND);
        properties
                .putObject("metadata")
                .put("description", METADATA)
                .putArray("allOf")
                .add(SchemaLibrary.reference(SchemaLibrary.OBJECT_META));
        putKind(schema, kind);
        return schema;
    }

    private String object(GroupVersionKind kind) {
        String name = nameOf(kind);
        if (library.nameOf(kind) == null) {
            made.computeIfAbsent(name, any -> {
                ObjectNode schema = typed(kind, SchemaLibrary.OBJECT_META);
                return schema.put("x-kubernetes-preserve-unknown-fields", true);
            });
        }
        return name;
    }

    private String list(GroupVersionKind item) {
        GroupVersionKind kind = listOf(item);
        String name = nameOf(kind);
        if (library.nameOf(kind) == null) {
            made.computeIfAbsent(name, any -> {
                ObjectNode schema = typed(kind, SchemaLibrary.LIST_META);
                schema.putArray("required").add("items");
                ((ObjectNode) schema.get("properties"))
                        .putObject("items")
                        .put("type", "array")
                        .set("items", SchemaLibrary.reference(nameOf(item)));
                return schema;
            });
        }
        return name;
    }

    private static ObjectNode typed(GroupVersionKind kind, String metadata) {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.putObject("metadata").putArray("allOf").add(SchemaLibrary.reference(metadata));
        putKind(schema, kind);
        return schema;
    }

    private static void putKind(ObjectNode schema, GroupVersionKind kind) {
        schema.withArray(GVK)
                .addObject()
                .put("group", kind.group())
                .put("kind", kind.kind())
                .put("version", kind.version());
    }

    /** The group's labels from the last to the first, the version and the kind, as definitions of custom kinds are named. */
    private static String inventedName(GroupVersionKind kind) {
        List<String> labels = Arrays.asList(kind.group().split("\\.")).reversed();
        return String.join(".", labels) + "." + kind.version() + "." + kind.kind();
    }
}
