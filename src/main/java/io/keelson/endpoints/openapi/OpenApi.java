package io.keelson.endpoints.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.endpoints.discovery.GroupVersion;
import io.keelson.endpoints.discovery.ServedResources;
import io.keelson.endpoints.output.Document;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.MediaType;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.registry.ResourceDefinition;
import io.keelson.schema.SchemaLibrary;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the OpenAPI documents of what the server serves. A document is made when it is first asked for and kept,
 * compressed, until the resources it tells of change; there is one for each group and version, and four more. What tells of custom
 * resources is kept while it is asked for, as there may be any number of them. The index makes the documents of built-in groups
 * only. Thread-safe.
 */
public final class OpenApi {
    /** The protobuf form of OpenAPI 2, as answers name it. */
    static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** The same as clients ask for it, which is no well-formed media type. */
    private static final String PROTOBUF_OLD = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    private static final String V2_JSON = "v2";
    private static final String V2_PROTOBUF = "v2 protobuf";
    private static final String INDEX = "index";

    private final Supplier<List<ResourceDefinition>> resources;
    private final String version;
    private volatile State state = new State(new ServedResources(List.of()), new ConcurrentHashMap<>());

    /** The documents that were asked for since {@link #dropUnused} looked. */
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    /** The documents of one state of the list. */
    private record State(ServedResources served, Map<String, Document> documents) {}

    /**
     * @param resources what is served now; it gives equal lists as long as nothing changed
     * @param version of the server, as documents tell it
     */
    public OpenApi(Supplier<List<ResourceDefinition>> resources, String version) {
        this.resources = resources;
        this.version = version;
    }

    /** What {@code /openapi/v3} shows: where the document of each group and version is, with its hash. */
    public Document index() {
        State now = current();
        Document known = now.documents.get(INDEX);
        if (known != null) {
            return known;
        }
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (GroupVersion groupVersion : now.served.versions()) {
            String origin = origin(now.served.resources(groupVersion));
            String hash = origin.isEmpty() ? v3(now, groupVersion).hash() : Document.hashOf(origin);
            paths.putObject(groupVersion.path())
                    .put("serverRelativeURL", "/openapi/v3/" + groupVersion.path() + "?hash=" + hash);
        }
        Document made = Document.of(Encoding.JSON.mediaType(), Json.write(index));
        now.documents.put(INDEX, made);
        return made;
    }

    /**
     * The OpenAPI 3 document of a group and version.
     *
     * @param path what follows {@code /openapi/v3/}: {@code api/v1} or {@code apis/apps/v1}
     * @return null where nothing is there
     */
    public @Nullable Document v3(String path) {
        State now = current();
        for (GroupVersion groupVersion : now.served.versions()) {
            if (groupVersion.path().equals(path)) {
                return v3(now, groupVersion);
            }
        }
        return null;
    }

    /**
     * The OpenAPI 2 document of everything, what {@code /openapi/v2} shows.
     *
     * @param accept the Accept header
     * @throws io.keelson.api.ApiException 406 where the client wants neither JSON nor protobuf
     */
    public Document v2(@Nullable String accept) {
        State now = current();
        boolean protobuf = prefersProtobuf(accept);
        String name = protobuf ? V2_PROTOBUF : V2_JSON;
        used.add(name);
        return now.documents.computeIfAbsent(name, key -> {
            List<ResourceDefinition> all = now.served.versions().stream()
                    .flatMap(groupVersion -> now.served.resources(groupVersion).stream())
                    .toList();
            ObjectNode document = OpenApiV2.document(all, SchemaLibrary.read(), version);
            return protobuf
                    ? Document.of(PROTOBUF, OpenApiV2Protobuf.encode(document))
                    : Document.of(Encoding.JSON.mediaType(), Json.write(document));
        });
    }

    /** Drops the documents about custom resources that nobody has asked for since the last call; they are made again when needed. */
    public void dropUnused() {
        State now = state;
        var custom = new HashSet<String>();
        for (GroupVersion groupVersion : now.served.versions()) {
            if (now.served.resources(groupVersion).stream().anyMatch(ResourceDefinition::isCustom)) {
                custom.add(groupVersion.path());
            }
        }
        if (!custom.isEmpty()) {
            custom.addAll(List.of(V2_JSON, V2_PROTOBUF));
        }
        custom.removeAll(used);
        now.documents.keySet().removeAll(custom);
        used.clear();
    }

    private static boolean prefersProtobuf(@Nullable String accept) {
        if (accept == null || accept.isBlank()) {
            return false;
        }
        for (MediaType range : MediaType.parseAccept(accept)) {
            if (range.covers(Encoding.JSON.mediaType())) {
                return false;
            }
            if (range.essence().equals(PROTOBUF) || range.essence().equals(PROTOBUF_OLD)) {
                return true;
            }
        }
        throw MediaTypes.notAcceptable(List.of(Encoding.JSON.mediaType(), PROTOBUF));
    }

    private Document v3(State now, GroupVersion groupVersion) {
        used.add(groupVersion.path());
        return now.documents.computeIfAbsent(groupVersion.path(), key -> {
            List<ResourceDefinition> list = now.served.resources(groupVersion);
            byte[] content = Json.write(OpenApiV3.document(list, SchemaLibrary.read(), version));
            String origin = origin(list);
            return origin.isEmpty()
                    ? Document.of(Encoding.JSON.mediaType(), content)
                    : Document.of(Encoding.JSON.mediaType(), content, origin);
        });
    }

    /**
     * What the document of custom resources is made of, so that its hash can be told without making it; empty where a
     * resource is built in.
     */
    private String origin(List<ResourceDefinition> list) {
        var origin = new StringBuilder(version);
        for (ResourceDefinition resource : list) {
            if (resource.openApiRevision().isEmpty()) {
                return "";
            }
            origin.append(' ')
                    .append(resource.kind())
                    .append(' ')
                    .append(resource.plural())
                    .append(' ')
                    .append(resource.listKind())
                    .append(' ')
                    .append(resource.openApiRevision());
        }
        return origin.toString();
    }

    private State current() {
        List<ResourceDefinition> list = resources.get();
        State now = state;
        if (!now.served.madeOf(list)) {
            now = renewed(now, new ServedResources(list));
            state = now;
        }
        return now;
    }

    /** Keeps the documents of the groups and versions that did not change. */
    private static State renewed(State old, ServedResources served) {
        var documents = new ConcurrentHashMap<String, Document>();
        for (GroupVersion groupVersion : served.versions()) {
            Document known = old.documents.get(groupVersion.path());
            if (known != null && old.served.resources(groupVersion).equals(served.resources(groupVersion))) {
                documents.put(groupVersion.path(), known);
            }
        }
        return new State(served, documents);
    }
}
