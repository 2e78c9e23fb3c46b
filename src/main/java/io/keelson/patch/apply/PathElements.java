package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a path in FieldsV1: {@code f:name} a field or key of a map, {@code k:{"name":"c"}} an item of a list by its
 * keys, {@code v:"a"} an item of a set by its value, {@code i:0} an item by its place. Stateless and thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/">FieldsV1</a>
 */
final class PathElements {
    private PathElements() {}

    static String field(String name) {
        return "f:" + name;
    }

    /** The name of a field, null for another kind of element. */
    static @Nullable String fieldName(String element) {
        return element.startsWith("f:") ? element.substring(2) : null;
    }

    /** An item of a list that is no atom; null where it carries none of the keys that would tell it apart. */
    static @Nullable String item(JsonNode item, Schema list) {
        if (list.listType() == Schema.ListType.SET) {
            return "v:" + text(item);
        }
        var keys = new TreeMap<String, JsonNode>();
        for (String key : list.listMapKeys()) {
            JsonNode value = item.get(key);
            if (value == null || value.isNull()) {
                value = defaultOf(list, key);
            }
            if (value != null) {
                keys.put(key, value);
            }
        }
        return keys.isEmpty() ? null : key(keys);
    }

    private static @Nullable JsonNode defaultOf(Schema list, String key) {
        Schema items = list.items();
        Schema field = items == null ? null : items.properties().get(key);
        return field == null ? null : field.defaultValue();
    }

    private static String key(Map<String, JsonNode> keys) {
        var out = new StringBuilder("k:{");
        keys.forEach((name, value) -> {
            if (out.length() > "k:{".length()) {
                out.append(',');
            }
            Json.quote(out, name);
            out.append(':');
            out.append(text(value));
        });
        return out.append('}').toString();
    }

    private static String text(JsonNode value) {
        if (value.isTextual()) {
            var out = new StringBuilder();
            Json.quote(out, value.textValue());
            return out.toString();
        }
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }

    /** As conflicts show it: {@code .name}, {@code [name="c",port=80]}, {@code [="a"]}, {@code [0]}. */
    static String display(String element) {
        String body = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + body;
            case 'v' -> "[=" + body + "]";
            case 'k' -> {
                var keys = new ArrayList<String>();
                for (var key :
                        Json.parseTrusted(body.getBytes(StandardCharsets.UTF_8)).properties()) {
                    keys.add(key.getKey() + "=" + text(key.getValue()));
                }
                yield "[" + String.join(",", keys) + "]";
            }
            default -> "[" + body + "]";
        };
    }

    /** Whether a text that somebody sent is an element. */
    static boolean isValid(String element) {
        if (element.length() < 2 || element.charAt(1) != ':') {
            return false;
        }
        String body = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> true;
            case 'i' -> !body.isEmpty() && body.chars().allMatch(c -> c >= '0' && c <= '9');
            case 'v' -> parsed(body) != null;
            case 'k' -> parsed(body) instanceof ObjectNode keys && !keys.isEmpty();
            default -> false;
        };
    }

    private static @Nullable JsonNode parsed(String json) {
        try {
            return Json.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            return null;
        }
    }

    /** The keys of a list in words, for what is said of its items. */
    static String keysOf(Schema list) {
        return String.join(", ", List.copyOf(list.listMapKeys()));
    }
}
