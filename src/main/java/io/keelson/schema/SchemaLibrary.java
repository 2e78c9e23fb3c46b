package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of the built-in kinds, in the words of OpenAPI 3. They are read from a resource whenever a document is to be
 * made, and let go after that. Immutable.
 */
public final class SchemaLibrary {
    /** Lines of a name, a tab and a schema, compressed. */
    private static final String RESOURCE = "/io/keelson/schema/schemas.gz";

    private static final String REFERENCE = "#/components/schemas/";
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    public static final String OBJECT_META = META + "ObjectMeta";
    public static final String LIST_META = META + "ListMeta";
    public static final String DELETE_OPTIONS = META + "DeleteOptions";
    public static final String STATUS = META + "Status";
    public static final String PATCH = META + "Patch";
    public static final String WATCH_EVENT = META + "WatchEvent";

    /** Where a schema says of which kind it is; each tells of one kind. */
    private static final String KIND = "\"x-kubernetes-group-version-kind\":[";

    private final Map<String, String> texts = new HashMap<>();

    /** The schemas' names by their kinds, in the text that they tell them by. */
    private final Map<String, String> names = new HashMap<>();

    private SchemaLibrary() {}

    private void add(String name, String text) {
        texts.put(name, text);
        int kind = text.indexOf(KIND);
        if (kind >= 0) {
            names.put(text.substring(kind + KIND.length(), text.indexOf(']', kind)), name);
        }
    }

    public static SchemaLibrary read() {
        try (InputStream in = SchemaLibrary.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the program");
            }
            var library = new SchemaLibrary();
            var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int tab = line.indexOf('\t');
                library.add(line.substring(0, tab), line.substring(tab + 1));
            }
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the schema of a kind; null where the library has none. */
    public @Nullable String nameOf(GroupVersionKind kind) {
        return names.get(textOf(kind));
    }

    /** A kind as schemas tell theirs. */
    static String textOf(GroupVersionKind kind) {
        return "{\"group\":\"" + kind.group() + "\",\"kind\":\"" + kind.kind() + "\",\"version\":\"" + kind.version()
                + "\"}";
    }

    /** All kinds that there are schemas of, each as {@link #textOf} writes it. */
    Set<String> kinds() {
        return Set.copyOf(names.keySet());
    }

    /** The names of all schemas, in no order. */
    Collection<String> names() {
        return texts.keySet();
    }

    /** The schema of a name; null where the library has none. */
    @Nullable
    ObjectNode definition(String name) {
        String text = texts.get(name);
        return text == null ? null : Json.parseTrusted(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The schemas of some names and of all that those refer to, by name. Names that the library lacks are left out. */
    public SortedMap<String, ObjectNode> reachable(Collection<String> names) {
        var found = new TreeMap<String, ObjectNode>();
        var left = new ArrayDeque<>(names);
        while (!left.isEmpty()) {
            String name = left.pop();
            ObjectNode schema = found.containsKey(name) ? null : definition(name);
            if (schema != null) {
                found.put(name, schema);
                collectReferences(schema, left);
            }
        }
        return found;
    }

    private static void collectReferences(JsonNode node, ArrayDeque<String> to) {
        if (node.path("$ref").asText().startsWith(REFERENCE)) {
            to.push(node.path("$ref").asText().substring(REFERENCE.length()));
        }
        node.forEach(child -> collectReferences(child, to));
    }

    /** A reference to a schema as OpenAPI 3 writes it. */
    public static ObjectNode reference(String name) {
        return Json.object().put("$ref", REFERENCE + name);
    }

    /** The name in a reference as OpenAPI 3 writes it. */
    public static String referenced(String reference) {
        return reference.substring(REFERENCE.length());
    }
}
