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
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Refuses new objects in namespaces that do not exist or are being deleted, and the deletion of the namespaces that the
 * server cannot be without, as kube-apiserver's NamespaceLifecycle admission does. Looks into the cache first and asks
 * storage before it says no, and where the namespace's deletion has just passed here and the cache may not know yet.
 * Thread-safe.
 */
public final class NamespaceAdmission implements Admission {
    /** The namespaces that stay, by the names that kube-apiserver protects. */
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    /** How long after a deletion the cache is not believed: as long as in kube-apiserver. */
    private static final Duration DISTRUST = Duration.ofSeconds(30);

    /** How many deletions are remembered; the oldest are forgotten first. */
    private static final int MAX_REMEMBERED = 1_000;

    private final Supplier<RegistryStore> namespaces;
    private final ReentrantLock lock = new ReentrantLock();

    /** When the deletion of a namespace last passed here, by its name. Replaced as a whole, under the lock. */
    private volatile Map<String, Instant> deletions = Map.of();

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
        if (definition.resource().equals(NAMESPACES) && !context.dryRun()) {
            remember(name, context.now());
        }
    }

    private void remember(String name, Instant now) {
        lock.lock();
        try {
            var remembered = new HashMap<String, Instant>();
            deletions.forEach((other, at) -> {
                if (isRecent(at, now)) {
                    remembered.put(other, at);
                }
            });
            if (remembered.size() >= MAX_REMEMBERED) {
                remembered.remove(Collections.min(remembered.entrySet(), Map.Entry.comparingByValue())
                        .getKey());
            }
            remembered.put(name, now);
            deletions = Map.copyOf(remembered);
        } finally {
            lock.unlock();
        }
    }

    private static boolean isRecent(Instant at, Instant now) {
        return now.isBefore(at.plus(DISTRUST));
    }

    private ApiObject find(RequestContext context) {
        RequestContext cluster = RequestContext.internal("", context.now());
        RegistryStore store = namespaces.get();
        Instant deletion = deletions.get(context.namespace());
        if (deletion != null && isRecent(deletion, context.now())) {
            return store.get(cluster, context.namespace(), null);
        }
        try {
            return store.get(cluster, context.namespace(), 0L);
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
        return store.get(cluster, context.namespace(), null);
    }
}
