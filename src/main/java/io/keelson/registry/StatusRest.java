package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status subresource, or another that writes a part of the status: an update through it changes the status and nothing
 * else. Thread-safe.
 */
public final class StatusRest implements RestStorage.Getter, RestStorage.Updater, RestStorage.Applier {
    /** Puts everything but the status back; neither the generation nor the metadata moves. */
    private record StatusStrategy(String subresource, Strategy rules) implements UpdateStrategy {
        @Override
        public boolean allowCreateOnUpdate() {
            return false;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            JsonNode status = object.get("status");
            object.removeAll();
            object.setAll(old);
            if (status == null || status.isNull()) {
                object.remove("status");
            } else {
                object.set("status", status);
            }
            rules.prepareStatusUpdate(context, object, old);
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            return rules.validateStatusUpdate(context, object, old);
        }

        @Override
        public void canonicalize(ObjectNode object) {
            rules.canonicalize(object);
        }

        @Override
        public boolean allowUnconditionalUpdate() {
            return true;
        }

        @Override
        public boolean writesStatus() {
            return true;
        }
    }

    private final RegistryStore store;
    private final UpdateStrategy strategy;

    public StatusRest(RegistryStore store) {
        this(store, "status", store.definition().strategy());
    }

    /**
     * A subresource that writes a part of the status.
     *
     * @param rules of which those about the status are kept
     */
    public StatusRest(RegistryStore store, String subresource, Strategy rules) {
        this.store = store;
        this.strategy = new StatusStrategy(subresource, rules);
    }

    @Override
    public ResourceDefinition definition() {
        return store.definition();
    }

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        return store.get(context, name, minimumRevision);
    }

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        return store.update(context, name, updated, strategy);
    }

    @Override
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
        return store.apply(context, name, applied, strategy);
    }
}
