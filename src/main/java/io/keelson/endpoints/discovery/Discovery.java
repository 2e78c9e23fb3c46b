package io.keelson.endpoints.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.endpoints.output.Document;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.MediaType;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.ResourceDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the server serves. Documents are made when they are first asked for and kept until the list of resources
 * changes; there are as many as groups and versions, and few more. Thread-safe.
 */
public final class Discovery {
    private static final List<String> AGGREGATED_VERSIONS = List.of("v2", "v2beta1");

    private final Supplier<List<ResourceDefinition>> resources;
    private final String serverAddress;
    private volatile State state = new State(new ServedResources(List.of()));

    /** The documents of one state of the list. */
    private record State(ServedResources served, Map<String, Document> documents) {
        State(ServedResources served) {
            this(served, new ConcurrentHashMap<>());
        }
    }

    /**
     * @param resources what is served now; it gives equal lists as long as nothing changed
     * @param serverAddress host and port that {@code /api} shows
     */
    public Discovery(Supplier<List<ResourceDefinition>> resources, String serverAddress) {
        this.resources = resources;
        this.serverAddress = serverAddress;
    }

    /**
     * The document at a path.
     *
     * @param path such as {@code /api}, {@code /api/v1}, {@code /apis}, {@code /apis/apps}, {@code /apis/apps/v1}
     * @param accept the Accept header
     * @return null where nothing is there
     * @throws io.keelson.api.ApiException 406 where the client wants none of what there is
     */
    public @Nullable Document find(String path, @Nullable String accept) {
        String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        State now = current();
        if (bare.equals("/api") || bare.equals("/apis")) {
            String version = aggregatedVersion(accept);
            if (version != null) {
                return now.documents.computeIfAbsent(
                        bare + " " + version, key -> aggregated(now.served, bare, version));
            }
        }
        Document known = now.documents.get(bare);
        if (known == null) {
            ObjectNode made = legacy(now.served, bare);
            if (made == null) {
                return null;
            }
            known = Document.of(Encoding.JSON.mediaType(), Json.write(made));
            now.documents.put(bare, known);
        }
        if (MediaTypes.negotiate(accept, Purpose.DOCUMENT).encoding() == Encoding.JSON) {
            return known;
        }
        // A JSON text is YAML as it stands.
        return new Document(Encoding.YAML.mediaType(), known.hash(), known.gzip());
    }

    private State current() {
        List<ResourceDefinition> list = resources.get();
        State now = state;
        if (!now.served.madeOf(list)) {
            now = new State(new ServedResources(list));
            state = now;
        }
        return now;
    }

    /** The version of the aggregated form that a client prefers to all else; null where it wants the old form. */
    private static @Nullable String aggregatedVersion(@Nullable String accept) {
        if (accept == null || !accept.contains(AggregatedDiscovery.KIND)) {
            return null;
        }
        for (MediaType range : MediaType.parseAccept(accept)) {
            if (!range.covers(Encoding.JSON.mediaType())) {
                continue;
            }
            String as = range.parameter("as");
            if (as.isEmpty()) {
                return null;
            }
            if (as.equals(AggregatedDiscovery.KIND)
                    && range.parameter("g").equals(AggregatedDiscovery.GROUP)
                    && AGGREGATED_VERSIONS.contains(range.parameter("v"))) {
                return range.parameter("v");
            }
        }
        return null;
    }

    private static Document aggregated(ServedResources served, String path, String version) {
        var discovery = new AggregatedDiscovery(served, version);
        ObjectNode list = path.equals("/api") ? discovery.core() : discovery.named();
        String contentType = Encoding.JSON.mediaType() + ";g=" + AggregatedDiscovery.GROUP + ";v=" + version + ";as="
                + AggregatedDiscovery.KIND;
        return Document.of(contentType, Json.write(list));
    }

    private @Nullable ObjectNode legacy(ServedResources served, String path) {
        var discovery = new LegacyDiscovery(served, serverAddress);
        String[] segments = path.split("/", -1);
        boolean core = path.equals("/api") || path.startsWith("/api/");
        boolean named = path.equals("/apis") || (path.startsWith("/apis/") && !path.startsWith("/apis//"));
        if (!core && !named) {
            return null;
        }
        return switch (segments.length - (core ? 1 : 2)) {
            case 0 -> discovery.groups();
            case 1 -> core ? discovery.coreVersions() : group(served, discovery, segments[2]);
            case 2 -> version(served, discovery, new GroupVersion(core ? "" : segments[2], segments[core ? 2 : 3]));
            default -> null;
        };
    }

    private static @Nullable ObjectNode group(ServedResources served, LegacyDiscovery discovery, String name) {
        return name.isEmpty() || served.versions(name).isEmpty() ? null : discovery.group(name);
    }

    private static @Nullable ObjectNode version(
            ServedResources served, LegacyDiscovery discovery, GroupVersion version) {
        return served.serves(version) ? discovery.resources(version) : null;
    }
}
