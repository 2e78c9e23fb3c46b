package io.keelson.storage;

import org.jspecify.annotations.Nullable;

/** What must hold of the stored object for a write to go through; null fields are not looked at. */
public record Preconditions(@Nullable String uid, @Nullable Long resourceVersion) {
    public static final Preconditions NONE = new Preconditions(null, null);

    public static Preconditions uid(String uid) {
        return new Preconditions(uid, null);
    }
}
