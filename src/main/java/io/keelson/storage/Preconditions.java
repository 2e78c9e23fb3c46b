package io.keelson.storage;

import io.keelson.api.ApiObject;
import org.jspecify.annotations.Nullable;

/** What must hold of the stored object for a write to go through; null fields are not looked at. */
public record Preconditions(@Nullable String uid, @Nullable Long resourceVersion) {
    public static final Preconditions NONE = new Preconditions(null, null);

    public static Preconditions uid(String uid) {
        return new Preconditions(uid, null);
    }

    /**
     * Judges an object; null stands for one that is not there, of which no precondition holds.
     *
     * @throws StorageException.InvalidObject where they do not hold
     */
    public void check(@Nullable ApiObject object) {
        if (object == null) {
            if (uid != null || resourceVersion != null) {
                throw new StorageException.InvalidObject("the precondition ("
                        + (uid != null ? "UID " + uid : "ResourceVersion " + resourceVersion)
                        + ") does not hold of an object that is not there. It might have been deleted");
            }
            return;
        }
        if (uid != null && !uid.equals(object.meta().uid())) {
            throw new StorageException.InvalidObject("the UID in the precondition (" + uid
                    + ") does not match the UID in record (" + object.meta().uid()
                    + "). The object might have been deleted and then recreated");
        }
        if (resourceVersion != null && resourceVersion != object.resourceVersion()) {
            throw new StorageException.InvalidObject("the ResourceVersion in the precondition (" + resourceVersion
                    + ") does not match the ResourceVersion in record (" + object.resourceVersion()
                    + "). The object might have been modified");
        }
    }
}
