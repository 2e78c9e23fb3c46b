package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The annotation in which client-side {@code kubectl apply} keeps its last configuration. When kubectl goes over to
 * server-side apply, what it applied before and what is still so is no conflict, and the annotation is kept up so that it can
 * go back. Other managers are none of its business. Stateless.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#migration-between-client-side-and-server-side-apply">Migration</a>
 */
final class LastApplied {
    /** The manager of server-side {@code kubectl apply} where the user names no other. */
    static final String KUBECTL = "kubectl";

    static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    /** The most that annotations may take, in bytes; an annotation that does not fit is left out. */
    private static final int MAX_BYTES = 256 * 1024;

    private LastApplied() {}

    /** The fields of the last client-side configuration that the object still has as they were applied. */
    static @Nullable ObjectNode unchangedSince(ObjectNode object, ObjectType type, Scope scope) {
        String text =
                object.path("metadata").path("annotations").path(ANNOTATION).asText();
        if (text.isEmpty()) {
            return null;
        }
        JsonNode last;
        try {
            last = Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            return null;
        }
        if (!(last instanceof ObjectNode configuration)
                || !configuration.path("apiVersion").asText().equals(type.kind().apiVersion())) {
            return null;
        }
        ObjectNode fields = AppliedFields.of(configuration, type, scope).set();
        Comparison.Result difference = Comparison.of(configuration, object, type, scope);
        return FieldSets.minus(FieldSets.minus(fields, difference.changed()), difference.removed());
    }

    /** Brings the annotation up to date, where the object has it. */
    static void refresh(ObjectNode object, ObjectNode configuration) {
        if (!(object.path("metadata").get("annotations") instanceof ObjectNode annotations)
                || !annotations.has(ANNOTATION)) {
            return;
        }
        ObjectNode shown = configuration.deepCopy();
        if (shown.path("metadata").get("annotations") instanceof ObjectNode own) {
            own.remove(ANNOTATION);
        }
        String text = new String(Json.write(sorted(shown)), StandardCharsets.UTF_8) + "\n";
        if (text.length() > MAX_BYTES) {
            annotations.remove(ANNOTATION);
        } else {
            annotations.put(ANNOTATION, text);
        }
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode) {
            var fields = new TreeMap<String, JsonNode>();
            node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
            ObjectNode sorted = Json.object();
            fields.forEach(sorted::set);
            return sorted;
        }
        if (node.isArray()) {
            var sorted = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> sorted.add(sorted(item)));
            return sorted;
        }
        return node;
    }
}
