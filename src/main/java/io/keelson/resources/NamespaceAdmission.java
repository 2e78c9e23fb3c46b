package io.keelson.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupResource;
import io.keelson.api.Status;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Refuses new objects in namespaces that do not exist or are being deleted, and the deletion of the namespaces that the
 * server cannot be without, as kube-apiserver's NamespaceLifecycle admission does. Looks into the cache first and asks
 * storage only before it says no.
 */
public final class NamespaceAdmission implements Admission {
    /** The namespaces that stay, by the names that kube-apiserver protects. */
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    private final Supplier<RegistryStore> namespaces;

    public NamespaceAdmission(Supplier<RegistryStore> namespaces) {
        this.namespaces = namespaces;
    }

    @Override
    public void admitCreate(RequestContext context, ResourceDefinition definition, ObjectNode object) {
        if (!definition.namespaced()) {
            return;
        }
        ApiObject namespace = find(context);
        if (namespace.meta().beingDeleted()) {
            String name = object.path("metadata").path("name").asText();
            String why = "unable to create new content in namespace " + context.namespace()
                    + " because it is being terminated";
            throw ApiException.of(
                    StatusReason.FORBIDDEN,
                    definition.resource() + " \"" + name + "\" is forbidden: " + why,
                    Status.Details.of(definition.resource(), name)
                            .withCauses(List.of(new StatusCause(
                                    "NamespaceTerminating",
                                    "namespace " + context.namespace() + " is being terminated",
                                    "metadata.namespace"))));
        }
    }

    @Override
    public void admitDelete(RequestContext context, ResourceDefinition definition, String name) {
        if (definition.resource().equals(NAMESPACES) && IMMORTAL.contains(name)) {
            throw ApiException.of(
                    StatusReason.FORBIDDEN,
                    NAMESPACES + " \"" + name + "\" is forbidden: this namespace may not be deleted",
                    Status.Details.of(NAMESPACES, name));
        }
    }

    private ApiObject find(RequestContext context) {
        RequestContext cluster = RequestContext.internal("", context.now());
        RegistryStore store = namespaces.get();
        try {
            return store.get(cluster, context.namespace(), 0L);
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
        try {
            return store.get(cluster, context.namespace(), null);
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
            throw ApiException.notFound(NAMESPACES, context.namespace());
        }
    }
}
