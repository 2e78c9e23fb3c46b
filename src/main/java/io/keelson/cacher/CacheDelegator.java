package io.keelson.cacher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.cacher.store.Cursor;
import io.keelson.storage.ContinueToken;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ListSemantics;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A Storage that answers from the Cacher what it can prove to be fresh enough, and hands everything else to the Storage
 * below. Writes always go down; they take the cached object along as a suggestion. Thread-safe.
 */
public final class CacheDelegator implements Storage {
    private final Storage storage;
    private final Cacher cacher;
    private final BooleanSupplier progress;

    /** @param progress whether the store tells how far its watches are, without which only old state comes from the cache */
    public CacheDelegator(Storage storage, Cacher cacher, BooleanSupplier progress) {
        this.storage = storage;
        this.cacher = cacher;
        this.progress = progress;
    }

    public Cacher cacher() {
        return cacher;
    }

    @Override
    public ApiObject create(String key, ObjectNode object, long ttlSeconds) {
        return storage.create(key, object, ttlSeconds);
    }

    @Override
    public ApiObject delete(
            String key, Preconditions preconditions, ValidateDeletion validation, @Nullable ApiObject cachedExisting) {
        return storage.delete(key, preconditions, validation, suggestion(key, cachedExisting));
    }

    @Override
    public ApiObject guaranteedUpdate(
            String key,
            boolean ignoreNotFound,
            Preconditions preconditions,
            TryUpdate tryUpdate,
            @Nullable ApiObject cachedExisting) {
        return storage.guaranteedUpdate(key, ignoreNotFound, preconditions, tryUpdate, suggestion(key, cachedExisting));
    }

    private @Nullable ApiObject suggestion(String key, @Nullable ApiObject given) {
        return given != null ? given : cacher.cached(key);
    }

    @Override
    public ApiObject get(String key, @Nullable Long minimumRevision) {
        WatchCache.State state = stateForOne(key, minimumRevision);
        if (state == null) {
            return storage.get(key, minimumRevision);
        }
        ApiObject object = state.objects().get(key);
        if (object == null) {
            throw new StorageException.KeyNotFound(key);
        }
        return object;
    }

    /** The state to read one object from; null where storage is to be asked. */
    private WatchCache.@Nullable State stateForOne(String key, @Nullable Long minimumRevision) {
        cacher.checkKey(key);
        if (!cacher.ready()) {
            return null;
        }
        WatchCache.State state = cacher.cache().state();
        if (minimumRevision != null && state.revision() >= minimumRevision) {
            return state;
        }
        if (!progress.getAsBoolean()) {
            return null;
        }
        if (minimumRevision != null) {
            return cacher.awaitFresh(minimumRevision);
        }
        long revision = cacher.currentRevision();
        state = cacher.cache().state();
        if (state.revision() < revision) {
            // One read of one key is cheaper than waiting for the cache to hear of it; reading each of them there is
            // not.
            cacher.freshen(revision);
            return null;
        }
        return state;
    }

    @Override
    public ListResult getList(String key, ListOptions options) {
        cacher.checkKey(key);
        if (!cacher.ready()) {
            return listBeforeReady(key, options);
        }
        ListSemantics semantics = ListSemantics.of(key, options);
        if (!Keys.isCollection(key)) {
            return listOne(key, options, semantics);
        }
        if (semantics.exact()) {
            WatchCache.State state = cacher.cache().stateAt(semantics.exactRevision());
            return state == null ? storage.getList(key, options) : page(key, options, semantics, state);
        }
        if (cacher.cache().state().revision() >= semantics.minimumRevision() && !semantics.mostRecent()) {
            return page(key, options, semantics, cacher.cache().state());
        }
        if (!progress.getAsBoolean()) {
            return storage.getList(key, options);
        }
        if (!semantics.mostRecent()) {
            return page(key, options, semantics, cacher.awaitFresh(semantics.minimumRevision()));
        }
        try {
            return page(key, options, semantics, cacher.mostRecent());
        } catch (StorageException.TooLargeResourceVersion e) {
            // The cache is behind; storage itself is the most recent state.
            return storage.getList(key, options);
        }
    }

    /** A flood of lists must not reach storage while caches fill; only cheap ones may. */
    private ListResult listBeforeReady(String key, ListOptions options) {
        boolean cheap = options.predicate().everything() && options.limit() > 0;
        if (cheap || !Keys.isCollection(key)) {
            return storage.getList(key, options);
        }
        throw notReady();
    }

    private StorageException.NotReady notReady() {
        return new StorageException.NotReady(
                "the watch cache is being filled, try again later", cacher.retryAfterSeconds());
    }

    private ListResult listOne(String key, ListOptions options, ListSemantics semantics) {
        Long minimum = semantics.mostRecent() ? null : Long.valueOf(semantics.minimumRevision());
        WatchCache.State state = semantics.exact() || semantics.startKey() != null ? null : stateForOne(key, minimum);
        if (state == null) {
            return storage.getList(key, options);
        }
        var items = new ArrayList<ApiObject>(1);
        ApiObject object = state.objects().get(key);
        if (object != null && options.predicate().matches(object)) {
            items.add(object);
        }
        return new ListResult(items, state.revision(), "", null);
    }

    private static ListResult page(String key, ListOptions options, ListSemantics semantics, WatchCache.State state) {
        String start = semantics.startKey() == null ? key : semantics.startKey();
        String end = Keys.endOf(key);
        // A list at any revision is answered whole, whatever its limit: pages of it could not agree with each other.
        boolean unlimited = options.limit() <= 0 || (semantics.minimumRevision() == 0 && !semantics.exact());
        long limit = unlimited ? Long.MAX_VALUE : options.limit();
        boolean everything = options.predicate().everything();
        Cursor<ApiObject> cursor = state.objects().cursor(start, end);
        var items = new ArrayList<ApiObject>(everything ? (int) Math.min(limit, cursor.remaining()) : 16);
        while (cursor.next()) {
            ApiObject object = cursor.value();
            if (everything || options.predicate().matches(object)) {
                items.add(object);
                if (items.size() == limit) {
                    return cut(key, items, cursor, state.revision(), everything);
                }
            }
        }
        return new ListResult(items, state.revision(), "", null);
    }

    private static ListResult cut(
            String key, List<ApiObject> items, Cursor<ApiObject> cursor, long revision, boolean everything) {
        long left = cursor.remaining();
        if (left == 0) {
            return new ListResult(items, revision, "", null);
        }
        String token = ContinueToken.after(cursor.key(), revision).encode(key);
        return new ListResult(items, revision, token, everything ? left : null);
    }

    @Override
    public Watch watch(String key, ListOptions options) {
        cacher.checkKey(key);
        if (!cacher.ready()) {
            throw notReady();
        }
        return needsStorage(options) ? storage.watch(key, options) : cacher.watch(key, options);
    }

    /** Whether a watch asks for a state that a cache without progress would never know to have reached. */
    private boolean needsStorage(ListOptions options) {
        Long asked = options.resourceVersion();
        boolean waits = asked == null
                || (Boolean.TRUE.equals(options.sendInitialEvents())
                        && asked > cacher.cache().state().revision());
        return waits && !progress.getAsBoolean();
    }

    @Override
    public long count(String key) {
        cacher.checkKey(key);
        return cacher.ready() ? cacher.cache().state().objects().count(key, Keys.endOf(key)) : storage.count(key);
    }

    @Override
    public long currentResourceVersion() {
        return storage.currentResourceVersion();
    }

    @Override
    public void requestWatchProgress() {
        storage.requestWatchProgress();
    }

    @Override
    public void close() {
        cacher.close();
        storage.close();
    }
}
