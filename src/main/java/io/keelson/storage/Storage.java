package io.keelson.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import org.jspecify.annotations.Nullable;

/**
 * The storage of one resource: the seam between the registry and what keeps objects. The shape follows
 * {@code storage.Interface} of kubernetes/apiserver. Keys are paths such as {@code /registry/pods/default/web-1}; a key
 * of a collection ends with a slash.
 *
 * <p>Calls block and may be made from any thread, best a virtual one; none may hold a lock. All throw
 * {@link StorageException}.
 */
public interface Storage extends AutoCloseable {
    /** A suggestion that the caller makes for an object that it believes to be the current one. */
    @FunctionalInterface
    interface TryUpdate {
        /**
         * Makes the new state of an object. May be called several times, each time with a fresher state.
         *
         * @param existing the present state, null where there is none and the caller ignores that
         * @return the new state as a tree that the storage may change, and how long it lives
         */
        Updated update(@Nullable ApiObject existing);
    }

    /**
     * A new state.
     *
     * @param ttlSeconds after how long the object goes by itself; 0 for never
     */
    record Updated(ObjectNode object, long ttlSeconds) {
        public static Updated of(ObjectNode object) {
            return new Updated(object, 0);
        }
    }

    /** Judges an object just before it is deleted; throws to keep it. */
    @FunctionalInterface
    interface ValidateDeletion {
        ValidateDeletion NONE = object -> {};

        void validate(ApiObject object);
    }

    /**
     * The objects as they are stored, whatever this storage makes of them: with the same metadata but for labels and annotations,
     * and without waiting for what converts the rest. For reading.
     */
    default Storage asStored() {
        return this;
    }

    default Versioner versioner() {
        return Versioner.INSTANCE;
    }

    /**
     * Adds an object.
     *
     * @param object may be changed; is refused where it carries a resourceVersion
     * @param ttlSeconds after how long the object goes by itself; 0 for never
     * @throws StorageException.KeyExists where the key is taken
     */
    ApiObject create(String key, ObjectNode object, long ttlSeconds);

    /**
     * Removes an object and returns its last state, stamped with the deletion's revision.
     *
     * @param cachedExisting what the caller believes to be the current state, or null; only saves a read
     */
    ApiObject delete(
            String key, Preconditions preconditions, ValidateDeletion validation, @Nullable ApiObject cachedExisting);

    /**
     * The object at a key.
     *
     * @param minimumRevision null for the most recent state, 0 for any, else a state at least as new
     */
    ApiObject get(String key, @Nullable Long minimumRevision);

    /** A page of the objects below a key that ends with a slash, or the one object at a key that does not. */
    ListResult getList(String key, ListOptions options);

    /**
     * Changes an object by a function of its present state, again and again until no other write comes between. Where
     * the function changes nothing, nothing is written and the revision stays.
     *
     * @param ignoreNotFound whether the function is called with null where there is no object, instead of failing
     * @param cachedExisting what the caller believes to be the current state, or null; only saves a read
     */
    ApiObject guaranteedUpdate(
            String key,
            boolean ignoreNotFound,
            Preconditions preconditions,
            TryUpdate tryUpdate,
            @Nullable ApiObject cachedExisting);

    /** The events of the objects below a key that ends with a slash, or of the one object at a key that does not. */
    Watch watch(String key, ListOptions options);

    /** How many objects are below a key that ends with a slash. */
    long count(String key);

    /** The revision of the latest write to the store, as the store itself tells it. */
    long currentResourceVersion();

    /** Asks the store to tell all watches how far they are. Returns at once. */
    void requestWatchProgress();

    @Override
    void close();
}
