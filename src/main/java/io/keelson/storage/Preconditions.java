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
     * Judges an object.
     *
     * @throws StorageException.InvalidObject where they do not hold
     */
    public void check(ApiObject object) {
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
