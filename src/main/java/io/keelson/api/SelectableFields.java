package io.keelson.api;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a resource, beside {@code metadata.name} and {@code metadata.namespace}, that a field selector may name.
 * Their values are read once, when an object is decoded, and kept beside it. Immutable.
 */
public final class SelectableFields {
    /** A resource that is selected by name and namespace only. */
    public static final SelectableFields NONE = of(List.of());

    /** A step into an object: what lies below, and the field's index where a field ends here. */
    static final class Step {
        final Map<String, Step> below = new HashMap<>();
        int index = -1;

        @Nullable
        Step into(String name) {
            return below.get(name);
        }
    }

    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Step root = new Step();
    private final String[] defaults;

    private SelectableFields(Map<String, String> fields, Map<String, String> paths) {
        defaults = new String[fields.size()];
        for (var field : fields.entrySet()) {
            int index = indexes.size();
            indexes.put(field.getKey(), index);
            defaults[index] = field.getValue();
            Step step = root;
            for (String name :
                    paths.getOrDefault(field.getKey(), field.getKey()).split("\\.", -1)) {
                step = step.below.computeIfAbsent(name, any -> new Step());
            }
            step.index = index;
        }
    }

    /** Fields by their dotted paths, such as {@code spec.nodeName}; unset ones are empty. */
    public static SelectableFields of(List<String> paths) {
        var fields = new LinkedHashMap<String, String>();
        paths.forEach(path -> fields.put(path, ""));
        return new SelectableFields(fields, Map.of());
    }

    /** Fields by their dotted paths, with the value that an object counts as having where it is unset. */
    public static SelectableFields withDefaults(Map<String, String> fields) {
        return new SelectableFields(fields, Map.of());
    }

    /** The same for fields of which some are called otherwise in selectors than in objects: their paths by their names. */
    public static SelectableFields withPaths(Map<String, String> fields, Map<String, String> paths) {
        return new SelectableFields(fields, paths);
    }

    /** The index of a field, as {@link ApiObject#field} takes it, or -1 where it is not selectable. */
    public int index(String path) {
        return indexes.getOrDefault(path, -1);
    }

    /** The dotted paths, in index order. */
    public Set<String> paths() {
        return indexes.keySet();
    }

    Step root() {
        return root;
    }

    String[] defaults() {
        return defaults.clone();
    }
}
