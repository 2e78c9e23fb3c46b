package io.keelson.resources;

import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import java.util.List;
import java.util.Set;

/**
 * A subresource that clients know of and that has nothing behind it here, such as the logs of a pod. Its answer is 404 where
 * the object is missing, else 501 with the reason: a code that kubectl shows with its message and that nobody repeats, as
 * they would 503. Thread-safe.
 */
final class UnservedRest implements RestStorage.Connecter {
    private static final int NOT_IMPLEMENTED = 501;

    private final RegistryStore store;
    private final String subresource;
    private final Set<String> methods;
    private final String why;

    /** @param why in words that follow the name of the subresource */
    UnservedRest(RegistryStore store, String subresource, Set<String> methods, String why) {
        this.store = store;
        this.subresource = subresource;
        this.methods = Set.copyOf(methods);
        this.why = why;
    }

    @Override
    public ResourceDefinition definition() {
        return store.definition();
    }

    @Override
    public Set<String> methods() {
        return methods;
    }

    @Override
    public void connect(RequestContext context, String name) {
        var _ = store.get(context, name, 0L);
        throw new ApiException(new Status(
                NOT_IMPLEMENTED,
                StatusReason.UNKNOWN,
                definition().resource() + "/" + subresource + " \"" + name + "\" is not available: " + why,
                new Status.Details(
                        name, definition().resource().group(), definition().plural(), "", List.of(), 0)));
    }
}
