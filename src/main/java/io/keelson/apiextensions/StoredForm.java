package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.apiextensions.structural.Defaulting;
import io.keelson.apiextensions.structural.FormCheck;
import io.keelson.apiextensions.structural.Pruning;
import io.keelson.apiextensions.structural.StructuralSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Brings stored custom resources into the form in which they are to be seen: without fields that the schema of their version does
 * not have, with the defaults that it has by now. They stay in the version that they are stored in. Most have that form already,
 * which one pass over the bytes tells; a tree is made of the others only. Immutable and thread-safe.
 */
final class StoredForm {
    /** A version, and how its objects begin. */
    private record Version(String apiVersion, byte[] head, Supplier<StructuralSchema> schema) {
        boolean isOf(byte[] stored) {
            return stored.length > head.length && Arrays.equals(stored, 0, head.length, head, 0, head.length);
        }
    }

    private final List<Version> versions = new ArrayList<>();

    /**
     * @param schemas of the versions by their apiVersions, that of the storage version first: what is of none of them counts as of
     *     that one
     */
    StoredForm(SequencedMap<String, Supplier<StructuralSchema>> schemas) {
        schemas.forEach((apiVersion, schema) -> {
            byte[] head = ("{\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.US_ASCII);
            versions.add(new Version(apiVersion, head, schema));
        });
    }

    byte[] revise(byte[] stored) {
        for (Version version : versions) {
            if (version.isOf(stored)) {
                return FormCheck.fits(version.schema().get(), stored) ? stored : revised(stored);
            }
        }
        return revised(stored);
    }

    private byte[] revised(byte[] stored) {
        ObjectNode tree = Json.parseTrusted(stored);
        String apiVersion = tree.path("apiVersion").asText();
        Version version = versions.stream()
                .filter(each -> each.apiVersion().equals(apiVersion))
                .findFirst()
                .orElse(versions.getFirst());
        Pruning.prune(version.schema().get(), tree);
        Defaulting.apply(version.schema().get(), tree);
        byte[] revised = Json.writeObject(tree.put("apiVersion", version.apiVersion()));
        return Arrays.equals(revised, stored) ? stored : revised;
    }
}
