package io.keelson.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object's metadata that the server decides by: selectors, preconditions, finalizers and owners. All
 * else stays in the object's bytes. Immutable.
 *
 * @param namespace empty for a cluster-scoped object
 * @param generation 0 where the object carries none
 * @param deletionTimestamp RFC 3339 text, null while the object is not being deleted
 * @param deletionGracePeriodSeconds null where the object carries none
 */
public record ObjectMeta(
        String name,
        String namespace,
        String uid,
        long generation,
        @Nullable String deletionTimestamp,
        @Nullable Long deletionGracePeriodSeconds,
        Labels labels,
        List<String> finalizers,
        List<OwnerReference> ownerReferences) {

    /** Whether deletion was asked for and waits for finalizers or a grace period. */
    public boolean beingDeleted() {
        return deletionTimestamp != null;
    }
}
