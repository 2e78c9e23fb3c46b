package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.SelectableFields;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.Watch;
import org.jspecify.annotations.Nullable;

/**
 * One version of a custom resource over the storage that all its versions share. Versions differ in their apiVersion only, as
 * the conversion strategy {@code None} has it, so that objects are converted as bytes. Does not own the storage. Thread-safe.
 */
final class VersionedStorage implements Storage {
    private final Storage shared;
    private final String storedVersion;
    private final String servedVersion;
    private final SelectableFields fields;

    /**
     * @param storedVersion the apiVersion of what the storage holds
     * @param servedVersion the apiVersion that callers see
     * @param fields those whose values the stored objects carry
     */
    VersionedStorage(Storage shared, String storedVersion, String servedVersion, SelectableFields fields) {
        this.shared = shared;
        this.storedVersion = storedVersion;
        this.servedVersion = servedVersion;
        this.fields = fields;
    }

    private boolean same() {
        return storedVersion.equals(servedVersion);
    }

    private ApiObject served(ApiObject stored) {
        return same() ? stored : stored.withApiVersion(servedVersion);
    }

    private ObjectNode stored(ObjectNode object) {
        return object.put("apiVersion", storedVersion);
    }

    private ListOptions stored(ListOptions options) {
        SelectionPredicate predicate = options.predicate();
        return options.withPredicate(new SelectionPredicate(predicate.labels(), predicate.fields(), fields));
    }

    @Override
    public ApiObject create(String key, ObjectNode object, long ttlSeconds) {
        return served(shared.create(key, stored(object), ttlSeconds));
    }

    @Override
    public ApiObject delete(
            String key, Preconditions preconditions, ValidateDeletion validation, @Nullable ApiObject cachedExisting) {
        ApiObject suggestion = same() ? cachedExisting : null;
        return served(shared.delete(key, preconditions, validation, suggestion));
    }

    @Override
    public ApiObject get(String key, @Nullable Long minimumRevision) {
        return served(shared.get(key, minimumRevision));
    }

    @Override
    public ListResult getList(String key, ListOptions options) {
        ListResult list = shared.getList(key, stored(options));
        return same()
                ? list
                : new ListResult(
                        list.items().stream().map(this::served).toList(),
                        list.resourceVersion(),
                        list.continueToken(),
                        list.remainingItemCount());
    }

    @Override
    public ApiObject guaranteedUpdate(
            String key,
            boolean ignoreNotFound,
            Preconditions preconditions,
            TryUpdate tryUpdate,
            @Nullable ApiObject cachedExisting) {
        ApiObject suggestion = same() ? cachedExisting : null;
        return served(shared.guaranteedUpdate(
                key,
                ignoreNotFound,
                preconditions,
                existing -> {
                    Updated updated = tryUpdate.update(existing == null ? null : served(existing));
                    return new Updated(stored(updated.object()), updated.ttlSeconds());
                },
                suggestion));
    }

    @Override
    public Watch watch(String key, ListOptions options) {
        Watch watch = shared.watch(key, stored(options));
        return same() ? watch : new ServedWatch(watch);
    }

    @Override
    public long count(String key) {
        return shared.count(key);
    }

    @Override
    public long currentResourceVersion() {
        return shared.currentResourceVersion();
    }

    @Override
    public void requestWatchProgress() {
        shared.requestWatchProgress();
    }

    @Override
    public void close() {}

    /** Shows the objects of a watch in the version that is served. */
    private final class ServedWatch implements Watch {
        private final Watch watch;

        ServedWatch(Watch watch) {
            this.watch = watch;
        }

        @Override
        public @Nullable WatchEvent poll() {
            WatchEvent event = watch.poll();
            if (event == null) {
                return null;
            }
            ApiObject object = event.object();
            if (object != null) {
                return WatchEvent.of(event.type(), served(object));
            }
            // A copy, since an event remembers its frames, and those name the version.
            return event.type() == WatchEventType.BOOKMARK
                    ? WatchEvent.bookmark(event.json(), event.resourceVersion())
                    : event;
        }

        @Override
        public void onReady(Runnable callback) {
            watch.onReady(callback);
        }

        @Override
        public boolean ended() {
            return watch.ended();
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
