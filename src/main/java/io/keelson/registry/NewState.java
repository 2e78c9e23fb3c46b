package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Makes the new state of an object of its present state, with defaults and managedFields; again on each fresher state. */
interface NewState {
    /** @param old the present state, null where there is none; not to be changed */
    ObjectNode of(@Nullable ObjectNode old);

    /** Whether an object that is not there is made, whatever its kind says. */
    boolean mayCreate();
}
