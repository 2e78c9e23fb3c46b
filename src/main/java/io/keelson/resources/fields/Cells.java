package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Labels;
import io.keelson.registry.Ages;
import io.keelson.registry.Column;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Table cells and columns that several kinds show. */
public final class Cells {
    /** What a cell shows where there is nothing to show. */
    public static final String NONE = "<none>";

    /** What a cell shows where nobody has set anything. */
    public static final String UNSET = "<unset>";

    /** How many texts of a list a cell shows. */
    private static final int SHOWN = 3;

    private static final Map<String, String> ACCESS_MODES = new LinkedHashMap<>();

    static {
        ACCESS_MODES.put("RWO", "ReadWriteOnce");
        ACCESS_MODES.put("ROX", "ReadOnlyMany");
        ACCESS_MODES.put("RWX", "ReadWriteMany");
        ACCESS_MODES.put("RWOP", "ReadWriteOncePod");
    }

    private Cells() {}

    /** A text column that reads one field; empty where it is unset. */
    public static Column text(String name, String description, String... path) {
        return Column.of(name, "string", description, (object, now) -> Trees.text(object, path));
    }

    /** A number column that reads one field; 0 where it is unset. */
    public static Column number(String name, String description, String... path) {
        return Column.of(
                name,
                "integer",
                description,
                (object, now) -> Trees.at(object, path).asLong());
    }

    /** The first few texts of several, and how many more there are. */
    public static String some(List<String> texts, int all) {
        String shown = String.join(",", texts.subList(0, Math.min(SHOWN, texts.size())));
        return all > SHOWN ? shown + " + " + (all - SHOWN) + " more..." : shown;
    }

    public static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    /** How long ago a time stamp was; {@code <none>} where there is none. */
    public static String since(JsonNode timestamp, Instant now) {
        String text = Trees.text(timestamp);
        return text.isEmpty() ? NONE : Ages.since(text, now);
    }

    /** A map of labels as tables show it. */
    public static String labels(JsonNode labels) {
        return Labels.of(Trees.map(labels)).toString();
    }

    /** The wide columns with the names and images of the containers in a pod spec. */
    public static List<Column> containers(String... podSpec) {
        return List.of(
                containerColumn("Containers", "Names of the containers that the pods run.", "name", podSpec),
                containerColumn("Images", "Images of the containers that the pods run.", "image", podSpec));
    }

    private static Column containerColumn(String name, String description, String field, String... podSpec) {
        return Column.wide(name, "string", description, (object, now) -> join(Trees.at(object, podSpec), field));
    }

    private static String join(JsonNode podSpec, String field) {
        return Trees.objects(podSpec.path("containers")).stream()
                .map(container -> Trees.text(container, field))
                .collect(Collectors.joining(","));
    }

    /** The wide column with a selector of {@code matchLabels} and {@code matchExpressions}. */
    public static Column selector(String... path) {
        return Column.wide(
                "Selector",
                "string",
                "Labels that select the pods.",
                (object, now) -> Selectors.show(Trees.at(object, path)));
    }

    /** Access modes of a volume, abbreviated, in the order of Kubernetes. */
    public static String accessModes(JsonNode modes) {
        var asked = Trees.texts(modes);
        return ACCESS_MODES.entrySet().stream()
                .filter(mode -> asked.contains(mode.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(","));
    }

    /** Whether an object is on its way out. */
    public static boolean isDeleting(ObjectNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }
}
