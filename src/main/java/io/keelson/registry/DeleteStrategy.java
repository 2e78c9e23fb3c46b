package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** What a kind wants done when an object of it is deleted. Stateless. */
public interface DeleteStrategy {
    /** What becomes of dependents where the client does not say. */
    default PropagationPolicy defaultPropagation() {
        return PropagationPolicy.BACKGROUND;
    }

    /** What clients are warned of that do not say what becomes of dependents; empty where nothing is to be said. */
    default String propagationWarning() {
        return "";
    }

    /**
     * How long the object lives on before it goes, in seconds.
     *
     * @param asked what the client asks for, null where it leaves it to the kind
     * @return null for a kind that knows no grace period, 0 for at once
     */
    default @Nullable Long gracePeriodSeconds(ObjectNode object, @Nullable Long asked) {
        return null;
    }

    /** Whether something beside {@code metadata.finalizers} still holds the object, as a namespace's own finalizers do. */
    default boolean holdsDeletion(ObjectNode object) {
        return false;
    }

    /** Changes an object that is being marked for deletion and lives on for now. */
    default void prepareForDelete(ObjectNode object) {}
}
