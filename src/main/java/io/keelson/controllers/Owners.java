package io.keelson.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiException;
import io.keelson.api.FieldSelector;
import io.keelson.api.FieldSelector.Requirement;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.LabelSelector;
import io.keelson.api.ObjectMeta;
import io.keelson.api.OwnerReference;
import io.keelson.api.SelectableFields;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.storage.ListOptions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.StorageException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what has become of the owners that objects name. An owner is there where an object of its kind has its name and its
 * uid, in the dependent's namespace where the kind has namespaces. The cache is believed when it knows the owner; that an owner
 * is absent only storage may say. Thread-safe.
 */
final class Owners {
    /** What a reference to an owner is worth. */
    enum Standing {
        /** The owner is there. */
        SOLID,
        /** The owner is there and waits for its dependents to go. */
        WAITING,
        /** There is no such owner. */
        ABSENT,
        /** There is no such owner in the dependent's namespace, but in another. */
        ELSEWHERE,
        /** Nobody serves the owner's kind, so that nobody can tell. */
        UNKNOWN,
        /** An object of the cluster names one that has a namespace: never right, and never acted on. */
        INVALID
    }

    /** How many owners are known to be absent; those not asked for the longest are forgotten first. */
    private static final int MAX_ABSENT = 10_000;

    /** A place in which an object is not, or not any more. */
    private record Place(String group, String kind, String namespace, String name, String uid) {}

    private final Supplier<ServedKinds> served;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Absent owners, by where they are not. */
    @GuardedBy("lock")
    private final Map<Place, Standing> absent = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Standing> eldest) {
            return size() > MAX_ABSENT;
        }
    };

    Owners(Supplier<ServedKinds> served, InstantSource clock) {
        this.served = served;
        this.clock = clock;
    }

    /** Remembers an object that was seen to go, so that this is known even when nobody serves its kind any more. */
    void gone(GroupVersionKind kind, ObjectMeta meta) {
        remember(new Place(kind.group(), kind.kind(), meta.namespace(), meta.name(), meta.uid()), Standing.ABSENT);
    }

    /**
     * Remembers which owners of an object are absent that are of a kind which is served no longer: its objects may have gone with
     * it, and nobody can be asked later.
     *
     * @param store what served the kind
     */
    void lastLook(RegistryStore store, ObjectMeta dependent) {
        GroupVersionKind kind = store.definition().kind();
        String namespace = store.definition().namespaced() ? dependent.namespace() : "";
        for (OwnerReference reference : dependent.ownerReferences()) {
            Place place = place(reference, namespace);
            if (place.group().equals(kind.group())
                    && place.kind().equals(kind.kind())
                    && find(store, place, null) == null) {
                remember(place, Standing.ABSENT);
            }
        }
    }

    /** Whether all owners that an object names are there and stay, as far as the cache knows; no where it cannot tell. */
    boolean allSolid(ObjectMeta dependent) {
        try {
            for (OwnerReference reference : dependent.ownerReferences()) {
                if (standing(reference, dependent.namespace(), false) != Standing.SOLID) {
                    return false;
                }
            }
            return true;
        } catch (StorageException | ApiException e) {
            return false;
        }
    }

    /** @throws StorageException where storage cannot be asked */
    Standing standing(OwnerReference reference, String namespace) {
        return standing(reference, namespace, true);
    }

    private Standing standing(OwnerReference reference, String namespace, boolean ask) {
        RegistryStore store = served.get().find(reference.apiVersion(), reference.kind());
        if (store == null) {
            boolean gone =
                    knownAbsent(place(reference, namespace)) != null || knownAbsent(place(reference, "")) != null;
            return gone ? Standing.ABSENT : Standing.UNKNOWN;
        }
        boolean namespaced = store.definition().namespaced();
        if (namespaced && namespace.isEmpty()) {
            return Standing.INVALID;
        }
        Place place = place(reference, namespaced ? namespace : "");
        Standing known = knownAbsent(place);
        if (known != null) {
            return known;
        }
        ObjectMeta owner = find(store, place, 0L);
        if (owner == null && ask) {
            owner = find(store, place, null);
            if (owner == null) {
                Standing standing = livesElsewhere(store, place) ? Standing.ELSEWHERE : Standing.ABSENT;
                remember(place, standing);
                return standing;
            }
        }
        if (owner == null) {
            return Standing.ABSENT;
        }
        return DependencyGraph.waitsForDependents(owner) ? Standing.WAITING : Standing.SOLID;
    }

    private static Place place(OwnerReference reference, String namespace) {
        String group = ServedKinds.groupOf(reference.apiVersion());
        return new Place(group, reference.kind(), namespace, reference.name(), reference.uid());
    }

    /** @param minimumRevision 0 for what the cache has, null for what storage has */
    private @Nullable ObjectMeta find(RegistryStore store, Place place, @Nullable Long minimumRevision) {
        try {
            ObjectMeta meta = store.asStored()
                    .get(in(place.namespace()), place.name(), minimumRevision)
                    .meta();
            return meta.uid().equals(place.uid()) ? meta : null;
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
            return null;
        } catch (StorageException.BadRequest e) {
            // A name that no object can have.
            return null;
        }
    }

    /** Whether some other namespace has the object that is not in this place. */
    private boolean livesElsewhere(RegistryStore store, Place place) {
        if (!store.definition().namespaced()) {
            return false;
        }
        FieldSelector name = FieldSelector.of(List.of(new Requirement("metadata.name", true, place.name())));
        ListOptions named = ListOptions.LATEST
                .withResourceVersion(0L)
                .withPredicate(new SelectionPredicate(LabelSelector.EVERYTHING, name, SelectableFields.NONE));
        return store.asStored().list(in(""), named).items().stream()
                .anyMatch(object -> object.meta().uid().equals(place.uid()));
    }

    private RequestContext in(String namespace) {
        return RequestContext.internal(namespace, clock.instant());
    }

    private @Nullable Standing knownAbsent(Place place) {
        lock.lock();
        try {
            return absent.get(place);
        } finally {
            lock.unlock();
        }
    }

    private void remember(Place place, Standing standing) {
        lock.lock();
        try {
            absent.put(place, standing);
        } finally {
            lock.unlock();
        }
    }
}
