package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;

/** All that a kind decides about its objects' lives. */
public interface Strategy extends CreateStrategy, UpdateStrategy, DeleteStrategy {
    /** Restores what clients may not change of the status through its subresource. All else is as it was. Cannot fail. */
    default void prepareStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {}

    /** What is wrong with a new status, given the old state. Must not change either. */
    default List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        return List.of();
    }
}
