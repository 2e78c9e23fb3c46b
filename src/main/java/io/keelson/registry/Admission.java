package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A last say on a write, beside its kind's own rules: throws {@link io.keelson.api.ApiException} to refuse it. */
@FunctionalInterface
public interface Admission {
    Admission ALL = (context, definition, object) -> {};

    /** Judges a new object, after its kind's rules. */
    void admitCreate(RequestContext context, ResourceDefinition definition, ObjectNode object);

    /** Judges a deletion by the object's name, whether or not there is such an object. */
    default void admitDelete(RequestContext context, ResourceDefinition definition, String name) {}
}
