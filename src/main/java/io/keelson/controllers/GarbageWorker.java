package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.ObjectMeta;
import io.keelson.api.OwnerReference;
import io.keelson.api.StatusReason;
import io.keelson.controllers.DependencyGraph.Item;
import io.keelson.controllers.WorkQueue.Outcome;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.WriteWorkers;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of one object, by Kubernetes' rules: whether it goes because its owners are gone, loses the references to
 * some of them, or may go itself because its dependents are gone or let go. What it deletes goes by its uid and in the very
 * state that was judged. Thread-safe.
 */
final class GarbageWorker {
    /** How many objects are read at a time where dependents are looked for. */
    private static final int PAGE = 500;

    private static final String INVALID_NAMESPACE = "OwnerRefInvalidNamespace";

    private final Supplier<ServedKinds> served;
    private final DependencyGraph graph;
    private final Owners owners;
    private final EventRecorder events;
    private final BooleanSupplier synced;
    private final InstantSource clock;

    /** @param synced whether the graph has all objects */
    GarbageWorker(
            Supplier<ServedKinds> served,
            DependencyGraph graph,
            Owners owners,
            EventRecorder events,
            BooleanSupplier synced,
            InstantSource clock) {
        this.served = served;
        this.graph = graph;
        this.owners = owners;
        this.events = events;
        this.synced = synced;
        this.clock = clock;
    }

    /** An object's references, by what their owners are worth. */
    private record References(List<OwnerReference> solid, List<OwnerReference> absent, List<OwnerReference> waiting) {}

    Outcome work(String uid) {
        Item item = graph.find(uid);
        RegistryStore store = item == null ? null : served.get().find(item.resource());
        ApiObject object = item == null || store == null ? null : find(store, item.meta());
        if (store == null || object == null) {
            // The informer tells of its end, if it has not yet.
            return Outcome.DONE;
        }
        ObjectMeta meta = object.meta();
        if (DependencyGraph.waitsForOrphans(meta)) {
            orphan(store, object);
            return Outcome.DONE;
        }
        if (DependencyGraph.waitsForDependents(meta)) {
            return letGo(store, meta);
        }
        return meta.beingDeleted() || meta.ownerReferences().isEmpty() ? Outcome.DONE : judge(store, object);
    }

    /** The object in the state that the cache has, or that storage has where the cache does not know it. */
    private @Nullable ApiObject find(RegistryStore store, ObjectMeta meta) {
        ApiObject cached = find(store, meta, 0L);
        return cached == null ? find(store, meta, null) : cached;
    }

    private @Nullable ApiObject find(RegistryStore store, ObjectMeta meta, @Nullable Long minimumRevision) {
        try {
            ApiObject object = store.asStored().get(in(meta.namespace()), meta.name(), minimumRevision);
            return object.meta().uid().equals(meta.uid()) ? object : null;
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
            return null;
        }
    }

    // ---- dependents

    private Outcome judge(RegistryStore store, ApiObject object) {
        ObjectMeta meta = object.meta();
        var references = new References(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (OwnerReference reference : meta.ownerReferences()) {
            switch (owners.standing(reference, meta.namespace())) {
                case SOLID -> references.solid().add(reference);
                case WAITING -> references.waiting().add(reference);
                case ABSENT -> references.absent().add(reference);
                case ELSEWHERE -> {
                    warn(store, meta, reference);
                    references.absent().add(reference);
                }
                case INVALID -> {
                    warn(store, meta, reference);
                    return Outcome.DONE;
                }
                case UNKNOWN -> {
                    // Looked at again when resources have come.
                    graph.noteUnknownOwner(meta.uid());
                    return served.get().find(reference.apiVersion(), reference.kind()) == null
                            ? Outcome.DONE
                            : Outcome.RETRY;
                }
            }
        }
        if (!references.solid().isEmpty()) {
            drop(store, meta, references);
            return Outcome.DONE;
        }
        if (!references.waiting().isEmpty() && graph.hasDependents(meta.uid())) {
            if (graph.hasWaitingDependents(meta.uid())) {
                // A circle of owners: nobody would be the first to go.
                change(store, meta, GarbageWorker::unblock);
                return delete(store, find(store, meta, null), PropagationPolicy.FOREGROUND);
            }
            return delete(store, object, PropagationPolicy.FOREGROUND);
        }
        return delete(store, object, ownPolicy(meta));
    }

    private void warn(RegistryStore store, ObjectMeta dependent, OwnerReference reference) {
        String owner = "[" + reference.apiVersion() + "/" + reference.kind() + ", namespace: " + dependent.namespace()
                + ", name: " + reference.name() + ", uid: " + reference.uid() + "]";
        events.warn(
                store.definition().kind(),
                dependent,
                INVALID_NAMESPACE,
                "ownerRef " + owner + " does not exist in namespace \"" + dependent.namespace() + "\"");
    }

    /** Takes the references to owners that are gone, or on their way, from an object that others still own. */
    private void drop(RegistryStore store, ObjectMeta meta, References references) {
        Set<String> gone = Stream.concat(references.absent().stream(), references.waiting().stream())
                .map(OwnerReference::uid)
                .collect(Collectors.toSet());
        if (!gone.isEmpty()) {
            change(store, meta, object -> removeOwners(object, gone));
        }
    }

    private static PropagationPolicy ownPolicy(ObjectMeta meta) {
        if (meta.finalizers().contains(PropagationPolicy.ORPHAN_FINALIZER)) {
            return PropagationPolicy.ORPHAN;
        }
        return meta.finalizers().contains(PropagationPolicy.FOREGROUND_FINALIZER)
                ? PropagationPolicy.FOREGROUND
                : PropagationPolicy.BACKGROUND;
    }

    /** @param object in the state that was judged; null where it is gone */
    private Outcome delete(RegistryStore store, @Nullable ApiObject object, PropagationPolicy policy) {
        if (object == null) {
            return Outcome.DONE;
        }
        ObjectMeta meta = object.meta();
        var exactly = new Preconditions(meta.uid(), object.resourceVersion());
        try {
            store.delete(in(meta.namespace()), meta.name(), new DeleteOptions(null, policy, null, exactly));
            return Outcome.DONE;
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.NOT_FOUND) {
                return Outcome.DONE;
            }
            if (e.status().reason() == StatusReason.CONFLICT) {
                // Somebody else has written to it, maybe its owners; or it was made again, and the next look finds
                // nothing.
                return Outcome.RETRY;
            }
            throw e;
        }
    }

    // ---- owners

    /** Lets an object go that waits for its dependents, where no dependent is left that it has to wait for. */
    private Outcome letGo(RegistryStore store, ObjectMeta meta) {
        if (graph.hasBlockingDependents(meta.uid())) {
            // Each of them was put into the queue, and puts this one there when it goes.
            return Outcome.DONE;
        }
        if (!synced.getAsBoolean()) {
            return Outcome.RETRY;
        }
        change(store, meta, object -> Changes.removeFinalizer(object, PropagationPolicy.FOREGROUND_FINALIZER));
        return Outcome.DONE;
    }

    /**
     * Takes an owner out of all its dependents, then lets it go. They are looked for in every resource as it was when the owner
     * was marked or later: one that the graph does not know yet would be taken for abandoned afterwards.
     */
    private void orphan(RegistryStore store, ApiObject owner) {
        String uid = owner.meta().uid();
        String namespace = owner.meta().namespace();
        for (RegistryStore each : served.get().stores()) {
            if (namespace.isEmpty() || each.definition().namespaced()) {
                List<ApiObject> dependents = dependents(each, namespace, uid, owner.resourceVersion());
                WriteWorkers.run(dependents, dependent -> {
                    change(each, dependent.meta(), object -> removeOwners(object, Set.of(uid)));
                    return dependent;
                });
            }
        }
        change(store, owner.meta(), object -> Changes.removeFinalizer(object, PropagationPolicy.ORPHAN_FINALIZER));
    }

    private List<ApiObject> dependents(RegistryStore store, String namespace, String owner, long revision) {
        var found = new ArrayList<ApiObject>();
        ListOptions page = ListOptions.LATEST
                .withResourceVersion(revision)
                .withMatch(ResourceVersionMatch.NOT_OLDER_THAN)
                .withPage(PAGE, "");
        while (true) {
            ListResult list = store.asStored().list(in(namespace), page);
            for (ApiObject object : list.items()) {
                if (object.meta().ownerReferences().stream()
                        .anyMatch(reference -> reference.uid().equals(owner))) {
                    found.add(object);
                }
            }
            if (list.continueToken().isEmpty()) {
                return found;
            }
            page = ListOptions.LATEST.withPage(PAGE, list.continueToken());
        }
    }

    // ---- changes

    private void change(RegistryStore store, ObjectMeta meta, Consumer<ObjectNode> change) {
        Changes.apply(store, in(meta.namespace()), meta.name(), meta.uid(), change);
    }

    private static void removeOwners(ObjectNode object, Set<String> uids) {
        ObjectNode metadata = Trees.child(object, "metadata");
        ArrayNode references = Trees.list(metadata, "ownerReferences");
        references.removeIf(reference -> uids.contains(Trees.text(reference, "uid")));
        if (references.isEmpty()) {
            metadata.remove("ownerReferences");
        }
    }

    private static void unblock(ObjectNode object) {
        for (JsonNode reference : Trees.objects(object.path("metadata").path("ownerReferences"))) {
            if (reference.path("blockOwnerDeletion").asBoolean()) {
                ((ObjectNode) reference).put("blockOwnerDeletion", false);
            }
        }
    }

    private RequestContext in(String namespace) {
        return RequestContext.internal(namespace, clock.instant());
    }
}
