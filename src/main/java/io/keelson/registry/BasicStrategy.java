package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;
import java.util.Objects;

/**
 * What most kinds want: a status that only its subresource writes, and a generation that counts the changes of all else
 * but metadata. Kinds override what they do otherwise. Stateless.
 */
public class BasicStrategy implements Strategy {
    /** Which parts of the life of a kind's objects the API keeps apart. */
    public enum Trait {
        /** Objects live in namespaces. */
        NAMESPACED,
        /** The status is written through its subresource only. */
        STATUS,
        /** {@code metadata.generation} counts the desired states, from 1. */
        GENERATION
    }

    private final List<Trait> traits;

    public BasicStrategy(Trait... traits) {
        this.traits = List.of(traits);
    }

    @Override
    public final boolean namespaceScoped() {
        return traits.contains(Trait.NAMESPACED);
    }

    /** Whether the status is written through its subresource only. */
    public final boolean hasStatus() {
        return traits.contains(Trait.STATUS);
    }

    @Override
    public void prepareForCreate(RequestContext context, ObjectNode object) {
        if (hasStatus()) {
            object.set("status", initialStatus(object));
        }
        if (traits.contains(Trait.GENERATION)) {
            metadata(object).put("generation", 1);
        }
    }

    /** The status of a new object, whatever its sender wrote there. */
    protected ObjectNode initialStatus(ObjectNode object) {
        return object.objectNode();
    }

    @Override
    public List<FieldError> validate(RequestContext context, ObjectNode object) {
        return List.of();
    }

    @Override
    public void canonicalize(ObjectNode object) {}

    @Override
    public boolean allowCreateOnUpdate() {
        return false;
    }

    @Override
    public void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        if (hasStatus()) {
            copy(old, object, "status");
        }
        if (traits.contains(Trait.GENERATION)) {
            long generation = old.path("metadata").path("generation").asLong();
            metadata(object).put("generation", desiredStateDiffers(object, old) ? generation + 1 : generation);
        }
    }

    /** Whether an update asks for something else than before: any field but metadata and status. */
    protected boolean desiredStateDiffers(ObjectNode object, ObjectNode old) {
        return !withoutObservedState(object).equals(withoutObservedState(old));
    }

    @Override
    public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        return validate(context, object);
    }

    @Override
    public boolean allowUnconditionalUpdate() {
        return true;
    }

    private ObjectNode withoutObservedState(ObjectNode object) {
        ObjectNode desired = object.objectNode();
        desired.setAll(object);
        desired.remove("metadata");
        if (hasStatus()) {
            desired.remove("status");
        }
        return desired;
    }

    /** The metadata of an object that the registry has decoded, which always has one. */
    protected static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) Objects.requireNonNull(object.get("metadata"), "metadata");
    }

    /** Gives a field the value, or the absence, that it has in another object. */
    protected static void copy(ObjectNode from, ObjectNode to, String field) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value);
        }
    }
}
