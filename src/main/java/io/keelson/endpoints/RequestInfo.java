package io.keelson.endpoints;

import io.keelson.api.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a path below {@code /api} or {@code /apis} means: {@code /api/v1/namespaces/default/pods/web-1/status} and the
 * like.
 *
 * @param group empty for the core group
 * @param namespace empty where the path has none
 * @param name empty for a collection
 * @param subresource empty where the path has none
 * @param watchPath whether it is a legacy {@code /watch/} path
 */
record RequestInfo(
        String group,
        String version,
        String namespace,
        String resource,
        String name,
        String subresource,
        boolean watchPath) {
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    /** The meaning of a path, or null where it names no resource. */
    static @Nullable RequestInfo parse(String path) {
        List<String> parts = segments(path);
        int at = parts.size() > 2 && parts.get(0).equals("api") ? 1 : 2;
        if (parts.size() <= at || (at == 2 && !parts.getFirst().equals("apis"))) {
            return null;
        }
        String group = at == 1 ? "" : parts.get(1);
        String version = parts.get(at);
        List<String> rest = parts.subList(at + 1, parts.size());
        boolean watchPath = rest.size() > 1 && rest.getFirst().equals("watch");
        if (watchPath) {
            rest = rest.subList(1, rest.size());
        }
        if (rest.isEmpty()) {
            return null;
        }
        String namespace = "";
        boolean inNamespace = rest.size() > 2
                && rest.getFirst().equals("namespaces")
                && !(rest.size() == 3 && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
        if (inNamespace) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
        return new RequestInfo(group, version, namespace, rest.getFirst(), name, subresource, watchPath);
    }

    /**
     * Checks that a path can be read.
     *
     * @throws ApiException 400 where an escape is broken
     */
    static void checkEscapes(String path) {
        decode(path);
    }

    private static List<String> segments(String path) {
        var parts = new ArrayList<String>(8);
        int start = 1;
        while (start < path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            if (end > start) {
                parts.add(decode(path.substring(start, end)));
            }
            start = end + 1;
        }
        return parts;
    }

    private static String decode(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid URL escape in \"" + segment + "\"");
        }
    }
}
