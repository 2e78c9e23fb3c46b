package io.keelson.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Trees;

/** The finalizers of objects that controllers let go. Stateless. */
final class Finalizers {
    private Finalizers() {}

    /** Takes a finalizer from an object; harmless where it has none of that name. */
    static void remove(ObjectNode object, String finalizer) {
        Trees.list(Trees.child(object, "metadata"), "finalizers")
                .removeIf(each -> each.asText().equals(finalizer));
    }
}
