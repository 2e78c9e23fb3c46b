package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A last say on a new object, after its kind's own rules: throws {@link io.keelson.api.ApiException} to refuse it. */
@FunctionalInterface
public interface Admission {
    Admission ALL = (context, definition, object) -> {};

    void admitCreate(RequestContext context, ResourceDefinition definition, ObjectNode object);
}
