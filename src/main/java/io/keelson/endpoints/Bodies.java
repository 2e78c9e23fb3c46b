package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.BadJsonException;
import io.keelson.api.GroupVersionKind;
import io.keelson.registry.RestStorage;
import java.util.List;

/** Reads objects from request bodies and checks that they are of the kind that the path takes. Stateless. */
final class Bodies {
    private Bodies() {}

    /** The kind that a path takes and gives. */
    static GroupVersionKind kind(RestStorage storage) {
        return storage.kind();
    }

    /** The object in a body of a create or a replacement. */
    static ObjectNode object(Request request) {
        GroupVersionKind kind = kind(request.storage());
        FieldValidation validation = FieldValidation.of(request);
        JsonNode tree;
        try {
            tree = validation.parseObject();
        } catch (BadJsonException e) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + kind.kind()
                    + "): couldn't get version/kind; " + e.getMessage());
        }
        if (!(tree instanceof ObjectNode object)) {
            throw ApiException.badRequest(
                    "the object provided is unrecognized (must be of type " + kind.kind() + "): it is no object");
        }
        if (request.storage().definition().isCustom()) {
            requireTypeMeta(object);
        }
        checkKind(object, kind);
        validation.checkObject(object);
        return object;
    }

    /** Custom kinds have no types of their own that could say what an object is which does not say so itself. */
    private static void requireTypeMeta(ObjectNode object) {
        for (String field : List.of("kind", "apiVersion")) {
            if (object.path(field).asText().isEmpty()) {
                String name = field.equals("kind") ? "Kind" : "apiVersion";
                throw ApiException.badRequest("Object '" + name + "' is missing in '" + object + "'");
            }
        }
    }

    /** Checks kind and apiVersion; what is missing is filled in. */
    static void checkKind(ObjectNode object, GroupVersionKind kind) {
        String givenKind = object.path("kind").asText();
        String givenVersion = object.path("apiVersion").asText();
        boolean sameKind = givenKind.isEmpty() || givenKind.equals(kind.kind());
        boolean sameVersion = givenVersion.isEmpty() || givenVersion.equals(kind.apiVersion());
        if (!sameKind || !sameVersion) {
            throw ApiException.badRequest(givenKind + " in version \"" + givenVersion + "\" cannot be handled as a "
                    + kind.kind() + ": this path takes " + kind.kind() + " in version \"" + kind.apiVersion() + "\"");
        }
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.kind());
    }
}
