package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;

/** What a kind wants done when an object of it is replaced or patched, in the order of the methods. Stateless. */
public interface UpdateStrategy {
    /** Whether a PUT of an absent object creates it. */
    boolean allowCreateOnUpdate();

    /** Restores what clients may not change and counts the generation. Cannot fail. */
    void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old);

    /** What is wrong with the new state, given the old. Must not change either. */
    List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old);

    /** Brings a valid object into its normal form. Cannot fail. */
    void canonicalize(ObjectNode object);

    /** Whether an update without a resourceVersion overwrites whatever is there. */
    boolean allowUnconditionalUpdate();

    /** The subresource whose rules these are, empty for the resource's own. */
    default String subresource() {
        return "";
    }

    /** Whether the rules are those of a part of the status, which leave all else as it is. */
    default boolean writesStatus() {
        return subresource().equals("status");
    }

    /** Whether an update makes its field manager the owner of what it changes. */
    default boolean tracksOwnership() {
        return true;
    }
}
