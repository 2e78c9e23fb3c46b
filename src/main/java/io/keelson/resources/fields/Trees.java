package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Access to objects as trees. A field of a wrong type counts as absent, so that defaults and rules never fail on what a
 * schema check has yet to refuse.
 */
public final class Trees {
    /** Fields that hold maps: an empty one says nothing, so it is left out. Other empty objects mean something. */
    private static final Set<String> MAPS = Set.of(
            "labels",
            "annotations",
            "matchLabels",
            "data",
            "binaryData",
            "stringData",
            "nodeSelector",
            "limits",
            "requests",
            "capacity",
            "allocatable",
            "hard",
            "overhead");

    /** Fields whose content is the client's own. */
    private static final Set<String> FREE_FORM = Set.of("managedFields", "fieldsV1");

    private Trees() {}

    /** An object's field as an object, made where there is none. */
    public static ObjectNode child(ObjectNode parent, String name) {
        return switch (parent.get(name)) {
            case null -> parent.putObject(name);
            case ObjectNode object -> object;
            default -> parent.objectNode();
        };
    }

    /** An object below an object, made where there is none. */
    public static ObjectNode child(ObjectNode parent, String name, String below) {
        return child(child(parent, name), below);
    }

    /** An object's field as a list, made where there is none. */
    public static ArrayNode list(ObjectNode parent, String name) {
        return switch (parent.get(name)) {
            case null -> parent.putArray(name);
            case ArrayNode array -> array;
            default -> parent.arrayNode();
        };
    }

    /** Below some names, or a missing node. */
    public static JsonNode at(JsonNode node, String... names) {
        JsonNode here = node;
        for (String name : names) {
            here = here.path(name);
        }
        return here;
    }

    /** The text below some names; empty where there is none. */
    public static String text(JsonNode node, String... names) {
        JsonNode found = at(node, names);
        return found.isNull() ? "" : found.asText();
    }

    /** Whether a field is there with a value. */
    public static boolean has(JsonNode node, String name) {
        return node.hasNonNull(name);
    }

    /** The objects of a list, in order; none where the node is no list. */
    public static List<ObjectNode> objects(JsonNode list) {
        if (!list.isArray()) {
            return List.of();
        }
        var objects = new ArrayList<ObjectNode>(list.size());
        for (JsonNode item : list) {
            if (item instanceof ObjectNode object) {
                objects.add(object);
            }
        }
        return objects;
    }

    /** The texts of a list, in order; none where the node is no list. */
    public static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>(list.size());
        if (list.isArray()) {
            list.forEach(item -> texts.add(item.asText()));
        }
        return texts;
    }

    /** A map of texts, sorted by key; empty where the node is no object. */
    public static SortedMap<String, String> map(JsonNode node) {
        var map = new TreeMap<String, String>();
        node.properties()
                .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
        return map;
    }

    /** Gives a text field its default where it is absent or empty. */
    public static void fill(ObjectNode object, String name, String value) {
        if (text(object, name).isEmpty() && !object.path(name).isContainerNode()) {
            object.put(name, value);
        }
    }

    /** Gives a number its default where it is absent. */
    public static void fill(ObjectNode object, String name, int value) {
        if (!has(object, name)) {
            object.put(name, value);
        }
    }

    /** Gives a number its default where it is absent or 0, for fields whose 0 means unset. */
    public static void fillZero(ObjectNode object, String name, int value) {
        if (object.path(name).asLong() == 0 && !object.path(name).isTextual()) {
            object.put(name, value);
        }
    }

    /** Gives a truth value its default where it is absent. */
    public static void fill(ObjectNode object, String name, boolean value) {
        if (!has(object, name)) {
            object.put(name, value);
        }
    }

    /** Takes out what says nothing: nulls, empty lists and empty maps, as clients' serializers write them. */
    static void clean(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> saysNothing(field.getKey(), field.getValue()));
            for (var field : object.properties()) {
                if (!FREE_FORM.contains(field.getKey())) {
                    clean(field.getValue());
                }
            }
        } else if (node.isArray()) {
            node.forEach(Trees::clean);
        }
    }

    private static boolean saysNothing(String name, JsonNode value) {
        return value.isNull()
                || (value.isArray() && value.isEmpty())
                || (value.isObject() && value.isEmpty() && MAPS.contains(name));
    }
}
