package io.keelson.endpoints;

import io.keelson.api.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a URL's query. Values come in the many spellings that clients use. Immutable. */
final class QueryParameters {
    private static final QueryParameters NONE = new QueryParameters(Map.of());

    private final Map<String, List<String>> values;

    private QueryParameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * Parses a raw query.
     *
     * @throws ApiException 400 where an escape is broken
     */
    static QueryParameters parse(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return NONE;
        }
        var values = new LinkedHashMap<String, List<String>>();
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            values.computeIfAbsent(name, any -> new ArrayList<>(1)).add(value);
        }
        return new QueryParameters(values);
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid URL escape in \"" + text + "\"");
        }
    }

    /** The first value of a parameter, null where it is not given. */
    @Nullable
    String first(String name) {
        List<String> given = values.get(name);
        return given == null ? null : given.getFirst();
    }

    /** The first value of a parameter, empty where it is not given. */
    String text(String name) {
        String value = first(name);
        return value == null ? "" : value;
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Whether a parameter is set, null where it is not given: anything but {@code false} and {@code 0} sets it. */
    @Nullable
    Boolean flag(String name) {
        String value = first(name);
        return value == null ? null : !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    boolean isSet(String name) {
        return Boolean.TRUE.equals(flag(name));
    }

    /** The number that a parameter gives, null where it is not given or empty. */
    @Nullable
    Long number(String name) {
        String value = first(name);
        if (value == null || value.isEmpty()) {
            return null;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }
}
