package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schemas that a schema combines by logic. They only judge: nothing is pruned or filled in by them. */
record Junctors(
        List<StructuralSchema> allOf,
        List<StructuralSchema> anyOf,
        List<StructuralSchema> oneOf,
        @Nullable StructuralSchema not) {
    /** The junctors of a schema; null where it has none. */
    static @Nullable Junctors of(JsonNode node) {
        JsonNode not = node.get("not");
        var junctors = new Junctors(
                list(node.path("allOf")),
                list(node.path("anyOf")),
                list(node.path("oneOf")),
                not == null ? null : StructuralSchema.ofValue(not));
        boolean none = junctors.allOf.isEmpty() && junctors.anyOf.isEmpty() && junctors.oneOf.isEmpty() && not == null;
        return none ? null : junctors;
    }

    private static List<StructuralSchema> list(JsonNode schemas) {
        var list = new ArrayList<StructuralSchema>();
        schemas.forEach(schema -> list.add(StructuralSchema.ofValue(schema)));
        return List.copyOf(list);
    }
}
