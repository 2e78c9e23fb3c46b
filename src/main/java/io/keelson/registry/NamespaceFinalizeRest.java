package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import java.util.ArrayList;
import java.util.List;

/**
 * The finalize subresource of namespaces: an update through it changes {@code spec.finalizers} and nothing else. The
 * update that leaves none ends a namespace that is being deleted. Thread-safe.
 */
public final class NamespaceFinalizeRest implements RestStorage.Updater {
    /** Puts everything but the spec's finalizers back. */
    private static final class FinalizeStrategy implements UpdateStrategy {
        @Override
        public boolean allowCreateOnUpdate() {
            return false;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode namespace, ObjectNode old) {
            JsonNode finalizers = namespace.path("spec").get("finalizers");
            namespace.removeAll();
            namespace.setAll(old.deepCopy());
            ObjectNode spec = namespace.get("spec") instanceof ObjectNode kept ? kept : namespace.putObject("spec");
            if (finalizers == null || finalizers.isNull() || (finalizers.isArray() && finalizers.isEmpty())) {
                spec.remove("finalizers");
            } else {
                spec.set("finalizers", finalizers);
            }
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode namespace, ObjectNode old) {
            var errors = new ArrayList<FieldError>();
            JsonNode finalizers = namespace.path("spec").path("finalizers");
            if (!finalizers.isMissingNode() && !finalizers.isArray()) {
                errors.add(FieldError.typeInvalid("spec.finalizers", finalizers, "must be a list"));
            }
            MetadataRules.validateFinalizerNames(finalizers, "spec.finalizers", true, errors);
            return errors;
        }

        @Override
        public void canonicalize(ObjectNode namespace) {}

        @Override
        public boolean allowUnconditionalUpdate() {
            return true;
        }

        @Override
        public String subresource() {
            return "finalize";
        }
    }

    private static final UpdateStrategy STRATEGY = new FinalizeStrategy();

    private final RegistryStore namespaces;

    /** @param namespaces the store of the resource that this is a part of */
    public NamespaceFinalizeRest(RegistryStore namespaces) {
        this.namespaces = namespaces;
    }

    @Override
    public ResourceDefinition definition() {
        return namespaces.definition();
    }

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        return namespaces.update(
                context,
                name,
                existing -> {
                    if (existing == null) {
                        throw ApiException.notFound(definition().resource(), name);
                    }
                    return updated.apply(existing);
                },
                STRATEGY);
    }
}
