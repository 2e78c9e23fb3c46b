package io.keelson.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.RestStorage;
import org.jspecify.annotations.Nullable;

/** PUT of an object: replaces it. */
final class UpdateVerb {
    private final GetVerb output;

    UpdateVerb(GetVerb output) {
        this.output = output;
    }

    void serve(Request request, RestStorage.Updater storage) {
        WriteOptions.check(request.query(), "UpdateOptions", null);
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        ObjectNode object = Bodies.object(request);
        String name = request.info().name();
        String given = object.path("metadata").path("name").asText();
        if (!given.isEmpty() && !given.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
        }
        RestStorage.Updated updated = storage.update(request.context(), name, existing -> {
            checkIdentity(storage, name, object, existing);
            return object.deepCopy();
        });
        output.send(request, updated.created() ? 201 : 200, answer, updated.object());
    }

    /** Whoever replaces an object by its uid means that one, not another that has its name by now. */
    private static void checkIdentity(
            RestStorage storage, String name, ObjectNode object, @Nullable ObjectNode existing) {
        String given = object.path("metadata").path("uid").asText();
        if (given.isEmpty() || existing == null) {
            return;
        }
        String present = existing.path("metadata").path("uid").asText();
        if (!given.equals(present)) {
            throw ApiException.conflict(
                    storage.definition().resource(),
                    name,
                    "Precondition failed: UID in precondition: " + given + ", UID in object meta: " + present);
        }
    }
}
