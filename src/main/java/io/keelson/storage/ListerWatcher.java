package io.keelson.storage;

import io.keelson.api.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a cache follows a resource: all objects at one revision, then each change after it. Thread-safe. */
public interface ListerWatcher {
    /** Takes the objects of a list, in key order. */
    @FunctionalInterface
    interface ObjectConsumer {
        void accept(String key, ApiObject object);
    }

    /** Takes the keys of a list with the revision of each one's last write. */
    @FunctionalInterface
    interface VersionConsumer {
        void accept(String key, long resourceVersion);
    }

    /**
     * A change of one object.
     *
     * @param object the new state, null for a deletion
     */
    record Change(String key, @Nullable ApiObject object, long revision) {}

    /** Takes changes, from one thread at a time. */
    interface Sink {
        /** Changes in order of revision; all of one revision in one call. */
        void onChanges(List<Change> changes);

        /** All changes up to and including a revision were given to {@link #onChanges}. */
        void onProgress(long revision);

        /** The watch has ended and will not go on. */
        void onError(StorageException error);
    }

    /** A running watch; closing it is harmless when repeated. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();

        /** Asks that the watch be told how far it is. Returns at once. */
        void requestProgress();
    }

    /**
     * Gives all objects at one revision.
     *
     * @return that revision
     */
    long list(ObjectConsumer consumer);

    /**
     * Gives all objects as they were at a revision.
     *
     * @return that revision
     * @throws StorageException.Expired where the history is gone
     */
    long listAt(long revision, ObjectConsumer consumer);

    /**
     * Gives the keys of all objects as they were at a revision, in pages, without decoding what is there.
     *
     * @throws StorageException.Expired where the history is gone, also in the middle
     */
    void versionsAt(long revision, VersionConsumer consumer);

    /** Sends every change after a revision, exclusive. */
    Subscription watch(long afterRevision, Sink sink);

    /** Whether {@link Sink#onProgress} can be relied on. */
    boolean supportsProgress();

    /** The revision of the latest write to the store, as the store itself tells it. */
    long currentRevision();

    /** Up to which revision the history is gone, as far as is known; 0 where never compacted. */
    long compactRevision();
}
