package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;

/** What a kind wants done when an object of it is created, in the order of the methods. Stateless. */
public interface CreateStrategy {
    boolean namespaceScoped();

    /** Clears what clients may not set and fills in what the server sets. Cannot fail. */
    void prepareForCreate(RequestContext context, ObjectNode object);

    /** What is wrong with the object, beside its metadata, which the registry judges. Must not change it. */
    List<FieldError> validate(RequestContext context, ObjectNode object);

    /** Brings a valid object into its normal form. Cannot fail. */
    void canonicalize(ObjectNode object);
}
