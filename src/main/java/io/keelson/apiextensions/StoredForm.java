package io.keelson.apiextensions;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.apiextensions.structural.Defaulting;
import io.keelson.apiextensions.structural.FormCheck;
import io.keelson.apiextensions.structural.Pruning;
import io.keelson.apiextensions.structural.StructuralSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Brings stored custom resources into the form in which they are to be seen: of the storage version, without fields that their
 * schema does not have, with the defaults that it has by now. Most have that form already, which one pass over the bytes
 * tells; a tree is made of the others only. Immutable and thread-safe.
 */
final class StoredForm {
    private final String apiVersion;
    private final byte[] head;
    private final Function<String, StructuralSchema> schemas;

    /** @param schemas the schema of a version by its apiVersion */
    StoredForm(String apiVersion, Function<String, StructuralSchema> schemas) {
        this.apiVersion = apiVersion;
        this.head = ("{\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.US_ASCII);
        this.schemas = schemas;
    }

    byte[] revise(byte[] stored) {
        boolean current = stored.length > head.length && Arrays.equals(stored, 0, head.length, head, 0, head.length);
        if (current && hasForm(stored)) {
            return stored;
        }
        ObjectNode tree = Json.parseTrusted(stored);
        StructuralSchema schema = schemas.apply(tree.path("apiVersion").asText(apiVersion));
        Pruning.prune(schema, tree);
        Defaulting.apply(schema, tree);
        byte[] revised = Json.writeObject(tree.put("apiVersion", apiVersion));
        return Arrays.equals(revised, stored) ? stored : revised;
    }

    private boolean hasForm(byte[] stored) {
        try (JsonParser parser = Json.parser(stored)) {
            return parser.nextToken() == JsonToken.START_OBJECT && FormCheck.fits(schemas.apply(apiVersion), parser);
        } catch (IOException e) {
            throw new BadJsonException("stored object cannot be read: " + e.getMessage(), e);
        }
    }
}
