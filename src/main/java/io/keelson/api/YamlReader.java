package io.keelson.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Builds a tree from a YAML document's events; one use per document. It reads events as they come, so that a document that
 * breaks a limit is left at once.
 */
final class YamlReader {
    /** How what is wrong with a document is told. */
    static final String WRONG = "error converting YAML to JSON: ";

    /** How much aliases may add to any document, in weight. */
    private static final int MAX_EXPANSION = 3 * 1024 * 1024;

    /** How much aliases may add to a document, in weight for each of its characters... */
    private static final int EXPANSION_PER_CHARACTER = 10;

    /** ...beside what they may add to the smallest one. */
    private static final int FREE_EXPANSION = 64 * 1024;

    /** What a node weighs beside its characters, about what it takes in memory. */
    private static final int NODE_WEIGHT = 16;

    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();

    /** A value and what it takes: an alias to it costs that again. */
    private record Anchored(JsonNode node, long weight, int height) {}

    private final Iterator<Event> events;
    private final Consumer<String> duplicates;
    private final Map<String, Anchored> anchors = new HashMap<>();
    private final long maxExpansion;
    private long weight;
    private long expansion;

    /** The deepest level reached since it was last reset, to know how high an anchored value is. */
    private int deepest;

    /** @param duplicates is told of each key that is given again, whose last value counts */
    YamlReader(String text, Consumer<String> duplicates) {
        this.duplicates = duplicates;
        events = new Parse(SETTINGS).parseString(text).iterator();
        maxExpansion = Math.min(MAX_EXPANSION, FREE_EXPANSION + (long) EXPANSION_PER_CHARACTER * text.length());
    }

    static String at(int line) {
        return " at line " + (line + 1);
    }

    JsonNode read() {
        events.next();
        if (events.next().getEventId() != Event.ID.DocumentStart) {
            throw new BadJsonException("the body holds no YAML document", null);
        }
        JsonNode root = node(events.next(), 0);
        events.next();
        Event end = events.next();
        if (end.getEventId() != Event.ID.StreamEnd) {
            throw bad("the body holds more than one YAML document", end);
        }
        return root;
    }

    /** @param depth how many containers lie around this node */
    private JsonNode node(Event event, int depth) {
        if (event instanceof AliasEvent alias) {
            return expanded(alias, depth);
        }
        long weightBefore = weight;
        int deepestBefore = deepest;
        deepest = depth;
        weight += NODE_WEIGHT;
        JsonNode node = switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case SequenceStartEvent start -> sequence(start, depth);
            case MappingStartEvent start -> mapping(start, depth);
            default -> throw bad("unexpected " + event.getEventId(), event);
        };
        ((NodeEvent) event)
                .getAnchor()
                .ifPresent(anchor ->
                        anchors.put(anchor.getValue(), new Anchored(node, weight - weightBefore, deepest - depth)));
        deepest = Math.max(deepest, deepestBefore);
        return node;
    }

    private JsonNode expanded(AliasEvent alias, int depth) {
        Anchored anchored = anchors.get(alias.getAlias().getValue());
        if (anchored == null) {
            throw bad("unknown or unfinished anchor \"" + alias.getAlias().getValue() + "\"", alias);
        }
        weight += anchored.weight();
        expansion += anchored.weight();
        if (expansion > maxExpansion) {
            throw bad("aliases make the document too large", alias);
        }
        reach(depth + anchored.height(), alias);
        return anchored.node().deepCopy();
    }

    private JsonNode scalar(ScalarEvent scalar) {
        weight += scalar.getValue().length();
        try {
            return YamlScalars.resolve(scalar);
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()), scalar);
        }
    }

    private ArrayNode sequence(SequenceStartEvent start, int depth) {
        checkTag(start.getTag().orElse(null), "tag:yaml.org,2002:seq", start);
        reach(depth + 1, start);
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            array.add(node(event, depth + 1));
        }
        return array;
    }

    private ObjectNode mapping(MappingStartEvent start, int depth) {
        checkTag(start.getTag().orElse(null), "tag:yaml.org,2002:map", start);
        reach(depth + 1, start);
        ObjectNode object = Json.object();
        var merged = new ArrayList<ObjectNode>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            if (isMerge(event)) {
                collect(node(events.next(), depth + 1), merged, event);
                continue;
            }
            String key = key(event, depth);
            if (object.has(key)) {
                duplicates.accept("key \"" + key + "\" already set in map" + line(event));
            }
            object.set(key, node(events.next(), depth + 1));
        }
        merge(object, merged);
        return object;
    }

    private String key(Event event, int depth) {
        if (!(event instanceof ScalarEvent) && !(event instanceof AliasEvent)) {
            throw bad("a key must be a scalar", event);
        }
        JsonNode key = node(event, depth + 1);
        if (key.isContainerNode() || key.isNull()) {
            throw bad("a key must be a string, number or boolean", event);
        }
        return key.asText();
    }

    private static boolean isMerge(Event event) {
        return event instanceof ScalarEvent scalar
                && scalar.isPlain()
                && scalar.getTag().isEmpty()
                && scalar.getValue().equals("<<");
    }

    private static void collect(JsonNode value, List<ObjectNode> merged, Event event) {
        List<JsonNode> values = value.isArray() ? value.valueStream().toList() : List.of(value);
        for (JsonNode each : values) {
            if (!(each instanceof ObjectNode object)) {
                throw bad("map merge requires a map or a list of maps as its value", event);
            }
            merged.add(object);
        }
    }

    /** The mapping's own keys win over merged ones, and earlier merged maps over later ones. */
    private static void merge(ObjectNode object, List<ObjectNode> merged) {
        for (ObjectNode from : merged) {
            from.properties().forEach(field -> object.putIfAbsent(field.getKey(), field.getValue()));
        }
    }

    private void reach(int depth, Event event) {
        if (depth > Json.MAX_DEPTH) {
            throw bad("the document nests deeper than " + Json.MAX_DEPTH + " levels", event);
        }
        deepest = Math.max(deepest, depth);
    }

    private static void checkTag(@Nullable String tag, String expected, Event event) {
        if (tag != null && !tag.equals(expected) && !tag.equals("!")) {
            throw bad("tag " + tag + " is not supported", event);
        }
    }

    private static String line(Event event) {
        return event.getStartMark().map(Mark::getLine).map(YamlReader::at).orElse("");
    }

    private static BadJsonException bad(String what, Event event) {
        return new BadJsonException(WRONG + what + line(event), null);
    }
}
