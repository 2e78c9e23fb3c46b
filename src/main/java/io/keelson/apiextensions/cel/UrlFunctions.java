package io.keelson.apiextensions.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.keelson.apiextensions.cel.Functions.Param;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The type of URLs, and its functions. */
final class UrlFunctions {
    private static final CelType URL = OpaqueType.create("kubernetes.URL");
    private static final CelType STRINGS = ListType.create(SimpleType.STRING);

    private UrlFunctions() {}

    private record Url(URI uri) {}

    static void addTo(Functions functions) {
        Param url = new Param(URL, Url.class);
        functions.global("isURL", "is_url_string", SimpleType.BOOL, args -> isUrl((String) args[0]), Param.TEXT);
        functions.global(
                "url",
                "string_to_url",
                URL,
                args -> {
                    Url parsed = parsed((String) args[0]);
                    if (parsed == null) {
                        throw new IllegalArgumentException("URL parse error during conversion from string: parse \""
                                + args[0] + "\": invalid URI for request");
                    }
                    return parsed;
                },
                Param.TEXT);
        part(functions, url, "getScheme", uri -> orEmpty(uri.getScheme()));
        part(functions, url, "getHost", uri -> orEmpty(uri.getRawAuthority()).replaceFirst("^[^@]*@", ""));
        part(functions, url, "getHostname", uri -> orEmpty(uri.getHost()).replaceAll("^\\[|\\]$", ""));
        part(functions, url, "getPort", uri -> uri.getPort() < 0 ? "" : Integer.toString(uri.getPort()));
        part(functions, url, "getEscapedPath", uri -> orEmpty(uri.getRawPath()));
        functions.member(
                "getQuery",
                "url_get_query",
                MapType.create(SimpleType.STRING, STRINGS),
                args -> query(((Url) args[0]).uri()),
                url);
    }

    private static void part(Functions functions, Param url, String name, Function<URI, String> part) {
        functions.member(name, "url_" + name, SimpleType.STRING, args -> part.apply(((Url) args[0]).uri()), url);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    static boolean isUrl(String text) {
        return parsed(text) != null;
    }

    private static @Nullable Url parsed(String text) {
        try {
            var uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/") ? new Url(uri) : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static Map<String, List<String>> query(URI uri) {
        var query = new LinkedHashMap<String, List<String>>();
        for (String pair : orEmpty(uri.getRawQuery()).split("&", -1)) {
            if (!pair.isEmpty()) {
                String[] halves = pair.split("=", 2);
                query.computeIfAbsent(decoded(halves[0]), any -> new ArrayList<>())
                        .add(halves.length > 1 ? decoded(halves[1]) : "");
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
