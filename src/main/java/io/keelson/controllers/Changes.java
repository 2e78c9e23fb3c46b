package io.keelson.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.StatusReason;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import io.keelson.resources.fields.Trees;
import java.util.function.Consumer;

/** Changes that controllers make to objects. Stateless. */
final class Changes {
    private Changes() {}

    /**
     * Changes an object where it is still the one that was meant; its being gone, or made again, is fine.
     *
     * @param change is given the present state, maybe several times, each time a fresher one; what changes nothing writes nothing
     */
    static void apply(
            RestStorage.Updater updater, RequestContext context, String name, String uid, Consumer<ObjectNode> change) {
        try {
            var _ = updater.update(context, name, existing -> {
                if (existing == null) {
                    throw ApiException.notFound(updater.definition().resource(), name);
                }
                if (Trees.text(existing, "metadata", "uid").equals(uid)) {
                    change.accept(existing);
                }
                return existing;
            });
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Takes a finalizer from an object; harmless where it has none of that name. */
    static void removeFinalizer(ObjectNode object, String finalizer) {
        Trees.list(Trees.child(object, "metadata"), "finalizers")
                .removeIf(each -> each.asText().equals(finalizer));
    }
}
