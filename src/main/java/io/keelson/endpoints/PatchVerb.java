package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.PatchType;
import io.keelson.endpoints.output.Purpose;
import io.keelson.patch.JsonPatch;
import io.keelson.patch.MergePatch;
import io.keelson.patch.StrategicMergePatch;
import io.keelson.registry.RestStorage;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Schema;

/** PATCH of an object: changes its present state, again on each fresher state that a race brings. */
final class PatchVerb {
    private final GetVerb output;
    private final ApplyVerb apply;

    PatchVerb(GetVerb output) {
        this.output = output;
        this.apply = new ApplyVerb(output);
    }

    /** Makes the new state of the present one. */
    @FunctionalInterface
    private interface Patch {
        ObjectNode apply(ObjectNode existing);
    }

    void serve(Request request, RestStorage.Updater storage) {
        PatchType type = MediaTypes.patch(request.exchange().header("Content-Type"));
        WriteOptions.check(request.query(), "PatchOptions", type);
        if (type == PatchType.APPLY && storage instanceof RestStorage.Applier applier) {
            apply.serve(request, applier);
            return;
        }
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        FieldValidation validation = FieldValidation.of(request);
        Patch patch = patch(request.exchange(), storage, validation);
        String name = request.info().name();
        RestStorage.Updated updated = storage.update(request.context(), name, existing -> {
            if (existing == null) {
                throw ApiException.notFound(storage.definition().resource(), name);
            }
            ObjectNode patched = patch.apply(existing);
            validation.checkPatched(patched);
            String given = patched.path("metadata").path("name").asText();
            if (!given.equals(name)) {
                throw ApiException.badRequest(
                        "the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
            }
            return patched;
        });
        output.send(request, updated.created() ? 201 : 200, answer, updated.object());
    }

    private static Patch patch(Exchange exchange, RestStorage storage, FieldValidation validation) {
        PatchType type = MediaTypes.patch(exchange.header("Content-Type"));
        return switch (type) {
            case JSON -> {
                JsonNode operations = validation.parsePatch();
                yield existing -> JsonPatch.apply(existing, operations);
            }
            case MERGE -> {
                JsonNode changes = validation.parsePatch();
                yield existing -> MergePatch.apply(existing, changes);
            }
            case STRATEGIC_MERGE -> {
                Schema schema = BuiltinSchemas.of(Bodies.kind(storage));
                if (schema == null || !PatchType.of(storage.definition()).contains(type)) {
                    throw unsupported(type);
                }
                JsonNode changes = validation.parsePatch();
                yield existing -> StrategicMergePatch.apply(existing, changes, schema);
            }
            case APPLY -> throw unsupported(type);
        };
    }

    private static ApiException unsupported(PatchType type) {
        return new ApiException(new Status(
                StatusReason.UNSUPPORTED_MEDIA_TYPE.code(),
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "this server does not take " + type.mediaType() + "; use " + PatchType.MERGE.mediaType() + " or "
                        + PatchType.JSON.mediaType(),
                null));
    }
}
