package io.keelson.storage.kv;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.Versioner;
import io.keelson.storage.Watch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The underlying Storage: one resource's objects as JSON in a {@link KvStore}. Optimistic updates, paging and decoding
 * are written here, once for every store. Thread-safe; does not own the store.
 */
public final class KvStorage implements Storage, ListerWatcher {
    /** How long an update is tried again because other writes come between: as long as a write request may take. */
    private static final Duration MAX_UPDATE = Duration.ofSeconds(34);

    /** How many objects a comparison with the cache reads at a time: one that runs beside requests is to stay small. */
    private static final int CHECK_RANGE = 1000;

    private final KvStore store;
    private volatile ObjectDecoder decoder;
    private final String prefix;
    private final LeaseManager leases;

    /** @param prefix where the resource's keys begin, with a slash at its end, such as {@code /registry/pods/} */
    public KvStorage(KvStore store, ObjectDecoder decoder, String prefix, InstantSource clock) {
        this.store = store;
        this.decoder = decoder;
        this.prefix = prefix;
        this.leases = new LeaseManager(store, clock);
    }

    /** Shows stored values in another form from now on; caches of them have to be renewed. */
    public void decodeBy(ObjectDecoder other) {
        decoder = other;
    }

    @Override
    public ApiObject create(String key, ObjectNode object, long ttlSeconds) {
        Keys.check(key, prefix);
        if (versioner().resourceVersion(object) != 0) {
            throw new StorageException.BadRequest("resourceVersion should not be set on objects to be created");
        }
        byte[] bytes = encode(object);
        KvStore.WriteResult write = store.put(key, bytes, 0, leases.leaseFor(ttlSeconds));
        if (!write.succeeded()) {
            throw new StorageException.KeyExists(key);
        }
        return decode(key, bytes, write.revision());
    }

    @Override
    public ApiObject delete(
            String key, Preconditions preconditions, ValidateDeletion validation, @Nullable ApiObject cachedExisting) {
        Keys.check(key, prefix);
        ApiObject existing = cachedExisting == null ? get(key, null) : cachedExisting;
        boolean current = cachedExisting == null;
        while (true) {
            try {
                preconditions.check(existing);
                validation.validate(existing);
            } catch (RuntimeException e) {
                if (current) {
                    throw e;
                }
                existing = get(key, null);
                current = true;
                continue;
            }
            KvStore.WriteResult write = store.delete(key, existing.resourceVersion());
            if (write.succeeded()) {
                return existing.withResourceVersion(write.revision());
            }
            existing = decode(existingOf(key, write));
            current = true;
        }
    }

    @Override
    public ApiObject get(String key, @Nullable Long minimumRevision) {
        Keys.check(key, prefix);
        KvStore.GetResult read = store.get(key);
        checkReached(minimumRevision, read.revision());
        KeyValue kv = read.kv();
        if (kv == null) {
            throw new StorageException.KeyNotFound(key);
        }
        return decode(kv);
    }

    @Override
    public ListResult getList(String key, ListOptions options) {
        Keys.check(key, prefix);
        return new KvLister(store, this::decode, key, options).list();
    }

    @Override
    public ApiObject guaranteedUpdate(
            String key,
            boolean ignoreNotFound,
            Preconditions preconditions,
            TryUpdate tryUpdate,
            @Nullable ApiObject cachedExisting) {
        Keys.check(key, prefix);
        long deadline = System.nanoTime() + MAX_UPDATE.toNanos();
        // "Suggested" states come from a cache: a rule that fails on one is judged again on the state in the store.
        boolean suggested = cachedExisting != null;
        @Nullable ApiObject existing = suggested ? cachedExisting : read(key, ignoreNotFound);
        while (System.nanoTime() < deadline) {
            Updated updated;
            try {
                preconditions.check(existing);
                updated = tryUpdate.update(existing);
            } catch (RuntimeException e) {
                if (!suggested) {
                    throw e;
                }
                @Nullable ApiObject fresh = read(key, ignoreNotFound);
                suggested = false;
                if (revisionOf(fresh) == revisionOf(existing)) {
                    throw e;
                }
                existing = fresh;
                continue;
            }
            byte[] bytes = encode(updated.object());
            if (existing != null && unchanged(existing, bytes)) {
                if (!suggested) {
                    return existing;
                }
                @Nullable ApiObject fresh = read(key, ignoreNotFound);
                suggested = false;
                if (fresh != null && revisionOf(fresh) == revisionOf(existing)) {
                    return existing;
                }
                existing = fresh;
                continue;
            }
            KvStore.WriteResult write =
                    store.put(key, bytes, revisionOf(existing), leases.leaseFor(updated.ttlSeconds()));
            if (write.succeeded()) {
                return decode(key, bytes, write.revision());
            }
            KeyValue current = write.current();
            if (current == null && !ignoreNotFound) {
                throw new StorageException.KeyNotFound(key);
            }
            existing = current == null ? null : decode(current);
            suggested = false;
        }
        throw new StorageException.Timeout(
                "other writes to " + key + " came between for " + MAX_UPDATE.toSeconds() + " s; nothing was changed",
                null);
    }

    private static boolean unchanged(ApiObject existing, byte[] bytes) {
        if (existing.sameStoredBytes(bytes)) {
            return true;
        }
        // A client may send the same fields in another order; only the values count. As values of a tree that code made
        // may have other Java types than parsed ones, bytes are compared with bytes, both parsed.
        if (!existing.sameStoredLength(bytes)) {
            return false;
        }
        ObjectNode stored = Json.parseTrusted(existing.json());
        Versioner.INSTANCE.prepareForStorage(stored);
        return stored.equals(Json.parseTrusted(bytes));
    }

    @Override
    public Watch watch(String key, ListOptions options) {
        Keys.check(key, prefix);
        return KvStorageWatch.start(this, store, this::decode, key, options);
    }

    @Override
    public long count(String key) {
        Keys.check(key, prefix);
        return store.count(key, Keys.endOf(key));
    }

    @Override
    public long currentResourceVersion() {
        return store.currentRevision();
    }

    @Override
    public void requestWatchProgress() {
        store.requestProgress();
    }

    @Override
    public long list(ObjectConsumer consumer) {
        return listAt(0, consumer);
    }

    @Override
    public long listAt(long asked, ObjectConsumer consumer) {
        return forEach(asked, KvStore.MAX_RANGE, kv -> consumer.accept(kv.key(), decode(kv)));
    }

    @Override
    public void versionsAt(long revision, VersionConsumer consumer) {
        var _ = forEach(revision, CHECK_RANGE, kv -> consumer.accept(kv.key(), kv.modRevision()));
    }

    /** All keys of the resource at a revision, 0 for the latest; returns which it was. */
    private long forEach(long asked, int range, Consumer<KeyValue> consumer) {
        String end = Keys.endOf(prefix);
        String start = prefix;
        long revision = asked;
        while (true) {
            KvStore.RangeResult page = store.range(start, end, revision, range);
            if (revision == 0) {
                revision = page.revision();
            }
            page.kvs().forEach(consumer);
            if (!page.more()) {
                return revision;
            }
            start = page.kvs().getLast().key() + "\0";
        }
    }

    @Override
    public Subscription watch(long afterRevision, Sink sink) {
        var changes = new ChangeSink(this::decode, sink);
        KvWatch watch = store.watch(prefix, Keys.endOf(prefix), afterRevision + 1, changes);
        return new Subscription() {
            @Override
            public void close() {
                watch.close();
            }

            @Override
            public void requestProgress() {
                watch.requestProgress();
            }
        };
    }

    @Override
    public boolean supportsProgress() {
        return store.supportsProgress();
    }

    @Override
    public long currentRevision() {
        return store.currentRevision();
    }

    @Override
    public long compactRevision() {
        return store.compactRevision();
    }

    /** The store is shared and closed by who opened it. */
    @Override
    public void close() {}

    private @Nullable ApiObject read(String key, boolean ignoreNotFound) {
        KeyValue kv = store.get(key).kv();
        if (kv == null && !ignoreNotFound) {
            throw new StorageException.KeyNotFound(key);
        }
        return kv == null ? null : decode(kv);
    }

    private byte[] encode(ObjectNode object) {
        versioner().prepareForStorage(object);
        return Json.writeObject(object);
    }

    private ApiObject decode(KeyValue kv) {
        return decode(kv.key(), kv.value(), kv.modRevision());
    }

    private ApiObject decode(String key, byte[] bytes, long revision) {
        try {
            return decoder.decode(bytes, revision);
        } catch (BadJsonException e) {
            throw new StorageException.Internal("the value stored at " + key + " is no object: " + e.getMessage(), e);
        }
    }

    private static KeyValue existingOf(String key, KvStore.WriteResult write) {
        KeyValue current = write.current();
        if (current == null) {
            throw new StorageException.KeyNotFound(key);
        }
        return current;
    }

    private static long revisionOf(@Nullable ApiObject object) {
        return object == null ? 0 : object.resourceVersion();
    }

    static void checkReached(@Nullable Long minimum, long revision) {
        if (minimum != null && minimum > revision) {
            throw new StorageException.TooLargeResourceVersion(minimum, revision);
        }
    }
}
