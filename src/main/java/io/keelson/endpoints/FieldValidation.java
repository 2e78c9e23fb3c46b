package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.registry.RestStorage;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Decoder;
import io.keelson.schema.MalformedObjectException;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a client sends against the schema of its kind. Values of a wrong type are refused; fields that the kind does
 * not have are dropped, and told of, with fields that are given twice, as the {@code fieldValidation} parameter says. One
 * instance a request, used by one thread.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation">Field validation</a>
 */
final class FieldValidation {
    private static final String PARAMETER = "fieldValidation";

    /** What is done about fields that the kind does not have, and about those given twice. */
    private enum Directive {
        IGNORE,
        WARN,
        STRICT
    }

    private final Request request;
    private final Directive directive;
    private final GroupVersionKind kind;
    private final @Nullable Schema schema;

    /** The paths of fields that the body gives more than once. */
    private final Set<String> duplicates = new HashSet<>(0);

    /** What a strict reader would not take of the body itself. */
    private final List<String> told = new ArrayList<>(0);

    private FieldValidation(Request request, Directive directive) {
        this.request = request;
        this.directive = directive;
        this.kind = Bodies.kind(request.storage());
        this.schema = schema(request.storage(), kind);
    }

    /** @throws ApiException 422 where the parameter has a value that it cannot have */
    static FieldValidation of(Request request) {
        String given = request.query().text(PARAMETER);
        Directive directive = switch (given) {
            case "", "Warn" -> Directive.WARN;
            case "Ignore" -> Directive.IGNORE;
            case "Strict" -> Directive.STRICT;
            default ->
                throw ApiException.invalid(
                        "meta.k8s.io",
                        optionsKind(request),
                        "",
                        List.of(FieldError.notSupported(PARAMETER, given, List.of("", "Ignore", "Strict", "Warn"))));
        };
        return new FieldValidation(request, directive);
    }

    private static String optionsKind(Request request) {
        return switch (request.exchange().method().name()) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            default -> "PatchOptions";
        };
    }

    private static @Nullable Schema schema(RestStorage storage, GroupVersionKind kind) {
        boolean own = storage.definition().kind().equals(kind);
        return own ? storage.definition().schema() : BuiltinSchemas.of(kind);
    }

    // ---- objects

    /**
     * The body of a create or a replacement.
     *
     * @throws io.keelson.api.BadJsonException with words for the sender
     */
    JsonNode parseObject() {
        return request.exchange().parsedBody(duplicates::add, told::add);
    }

    /** Brings the object of such a body into the form of its schema. */
    void checkObject(ObjectNode object) {
        try {
            check(object);
        } catch (MalformedObjectException e) {
            throw cannotBeHandled(String.valueOf(e.getMessage()));
        }
        if (!told.isEmpty() && directive == Directive.STRICT) {
            throw cannotBeHandled(strictError());
        }
        warn();
    }

    private ApiException cannotBeHandled(String why) {
        return ApiException.badRequest(kind.kind() + " in version \"" + kind.version() + "\" cannot be handled as a "
                + kind.kind() + ": " + why);
    }

    // ---- patches

    /** The body of a JSON patch, a merge patch or a strategic merge patch. */
    JsonNode parsePatch() {
        JsonNode patch = Json.parse(request.exchange().body(), duplicates::add);
        String what = patch.isArray() ? "json patch duplicate field \"" : "duplicate field \"";
        duplicates.forEach(path -> told.add(what + path + "\""));
        duplicates.clear();
        return patch;
    }

    /** Brings an object that a patch has changed into the form of its schema. May be called again on a fresher state. */
    void checkPatched(ObjectNode object) {
        int before = told.size();
        try {
            checkKind(object);
            check(object);
            if (!told.isEmpty() && directive == Directive.STRICT) {
                throw new MalformedObjectException(strictError());
            }
            warn();
        } catch (MalformedObjectException e) {
            String why = String.valueOf(e.getMessage());
            throw ApiException.invalid("", "", "", List.of(FieldError.invalid("patch", "", why)));
        } finally {
            told.subList(before, told.size()).clear();
        }
    }

    private void checkKind(ObjectNode object) {
        try {
            Bodies.checkKind(object, kind);
        } catch (ApiException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    // ---- shared

    private void check(ObjectNode object) {
        boolean custom = request.storage().definition().isCustom()
                && request.storage().definition().kind().equals(kind);
        if (schema != null && !custom) {
            told.addAll(Decoder.decode(schema, object, duplicates));
            return;
        }
        told.addAll(Decoder.decodeMetadata(object));
        if (custom) {
            // What is wrong with the values of a custom kind is for its schema to say.
            for (String path : request.storage().definition().pruning().apply(object)) {
                told.add("unknown field \"" + path + "\"");
            }
        }
        duplicates.forEach(path -> told.add("duplicate field \"" + path + "\""));
    }

    private String strictError() {
        return "strict decoding error: " + String.join(", ", told);
    }

    private void warn() {
        if (directive == Directive.WARN) {
            told.forEach(request.context()::warn);
        }
    }
}
