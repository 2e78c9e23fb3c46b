package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status subresource: an update through it changes the status and nothing else. Thread-safe. */
public final class StatusRest implements RestStorage.Getter, RestStorage.Updater, RestStorage.Applier {
    /** Puts everything but the status back; neither the generation nor the metadata moves. */
    private static final class StatusStrategy implements UpdateStrategy {
        private final Strategy kind;

        StatusStrategy(Strategy kind) {
            this.kind = kind;
        }

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
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            return kind.validateStatusUpdate(context, object, old);
        }

        @Override
        public void canonicalize(ObjectNode object) {
            kind.canonicalize(object);
        }

        @Override
        public boolean allowUnconditionalUpdate() {
            return true;
        }

        @Override
        public String subresource() {
            return "status";
        }
    }

    private final RegistryStore store;
    private final UpdateStrategy strategy;

    public StatusRest(RegistryStore store) {
        this.store = store;
        this.strategy = new StatusStrategy(store.definition().strategy());
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
