package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What the built-in kinds and their fields are for, in sentences. They are read from a resource, line by line, whenever a
 * document is to be made, and none are kept. Stateless.
 */
public final class Descriptions {
    /** Lines of a schema's name, a field's name or nothing, and a text, with tabs between them, compressed. */
    private static final String RESOURCE = "/io/keelson/schema/descriptions.gz";

    private Descriptions() {}

    /** Puts the descriptions of schemas, as OpenAPI 3 writes them, and of their fields into them. */
    public static void addTo(Map<String, ObjectNode> schemas) {
        try (InputStream in = Descriptions.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the program");
            }
            var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int name = line.indexOf('\t');
                int field = line.indexOf('\t', name + 1);
                ObjectNode schema = schemas.get(line.substring(0, name));
                if (schema != null) {
                    add(schema, line.substring(name + 1, field), line.substring(field + 1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(ObjectNode schema, String field, String text) {
        String description = text.indexOf('\\') < 0 ? text : text.translateEscapes();
        ObjectNode described = field.isEmpty() ? schema : property(schema, field);
        if (described != null) {
            described.put("description", description);
        }
    }

    /** The schema of a field, in a form that can say more than what it refers to. */
    private static @Nullable ObjectNode property(ObjectNode schema, String field) {
        if (!(schema.path("properties").path(field) instanceof ObjectNode property)) {
            return null;
        }
        JsonNode reference = property.remove("$ref");
        if (reference != null) {
            property.putArray("allOf").addObject().set("$ref", reference);
        }
        return property;
    }
}
