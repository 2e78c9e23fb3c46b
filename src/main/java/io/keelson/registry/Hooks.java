package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;

/**
 * Code that runs around the writes of a kind: a begin method reserves something and returns how to settle it, an after
 * method sees what was stored. Begin methods may change the object; they do not run for dry runs' writes to storage but
 * for the dry run itself, whose finish is told of no success.
 */
public interface Hooks {
    Hooks NONE = new Hooks() {};

    /** Settles what a begin method reserved: keeps it after a success, gives it back after a failure. */
    @FunctionalInterface
    interface Finish {
        Finish NOTHING = success -> {};

        void finish(boolean success);
    }

    default Finish beginCreate(RequestContext context, ObjectNode object) {
        return Finish.NOTHING;
    }

    default void afterCreate(ApiObject object) {}

    default Finish beginUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        return Finish.NOTHING;
    }

    default void afterUpdate(ApiObject object) {}

    default void afterDelete(ApiObject object) {}
}
