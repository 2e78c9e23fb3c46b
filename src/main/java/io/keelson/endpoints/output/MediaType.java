package io.keelson.endpoints.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A media type or media range of an Accept or Content-Type header. Immutable.
 *
 * @param type in lower case, or {@code *}
 * @param subtype in lower case, or {@code *}
 * @param parameters by their names in lower case, without {@code q}
 * @param quality from 0 (not wanted) to 1
 */
public record MediaType(String type, String subtype, Map<String, String> parameters, double quality) {
    /** How many ranges of one Accept header are looked at; no client sends more than a handful. */
    static final int MAX_RANGES = 32;

    private static final Comparator<MediaType> PREFERENCE = Comparator.<MediaType>comparingDouble(
                    range -> -range.quality)
            .thenComparing(range -> range.type.equals("*"))
            .thenComparing(range -> range.subtype.equals("*"));

    public MediaType {
        parameters = Map.copyOf(parameters);
    }

    /** The ranges of an Accept header, the best first, without those that are not wanted. Malformed ones are left out. */
    public static List<MediaType> parseAccept(String header) {
        var ranges = new ArrayList<MediaType>();
        for (String text : split(header, ',')) {
            MediaType range = parse(text);
            if (range != null && range.quality > 0) {
                ranges.add(range);
            }
            if (ranges.size() == MAX_RANGES) {
                break;
            }
        }
        ranges.sort(PREFERENCE);
        return ranges;
    }

    /** One media type with its parameters; null where the text is none. */
    public static @Nullable MediaType parse(String text) {
        List<String> parts = split(text, ';');
        String name = parts.getFirst().strip().toLowerCase(Locale.ROOT);
        int slash = name.indexOf('/');
        if (slash <= 0 || slash == name.length() - 1 || name.indexOf('/', slash + 1) >= 0) {
            return null;
        }
        double quality = 1;
        var parameters = new LinkedHashMap<String, String>();
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                continue;
            }
            String key = part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
            String value = unquote(part.substring(equals + 1).strip());
            if (key.equals("q")) {
                quality = quality(value);
            } else {
                parameters.putIfAbsent(key, value);
            }
        }
        return new MediaType(name.substring(0, slash), name.substring(slash + 1), parameters, quality);
    }

    /** The value of a parameter; empty where it is not given. */
    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Whether this range covers a media type, such as {@code application/json}. */
    public boolean covers(String mediaType) {
        int slash = mediaType.indexOf('/');
        return switch (type) {
            case "*" -> subtype.equals("*");
            default ->
                mediaType.regionMatches(0, type, 0, slash)
                        && type.length() == slash
                        && (subtype.equals("*") || subtype.equals(mediaType.substring(slash + 1)));
        };
    }

    /** The media type without its parameters. */
    public String essence() {
        return type + "/" + subtype;
    }

    private static double quality(String value) {
        try {
            return Math.clamp(Double.parseDouble(value), 0, 1);
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    private static String unquote(String value) {
        if (value.length() < 2 || !value.startsWith("\"") || !value.endsWith("\"")) {
            return value;
        }
        var out = new StringBuilder();
        for (int i = 1; i < value.length() - 1; i++) {
            if (value.charAt(i) == '\\' && i + 1 < value.length() - 1) {
                i++;
            }
            out.append(value.charAt(i));
        }
        return out.toString();
    }

    /** Splits at a separator that stands outside of quotes. */
    private static List<String> split(String text, char separator) {
        var parts = new ArrayList<String>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
