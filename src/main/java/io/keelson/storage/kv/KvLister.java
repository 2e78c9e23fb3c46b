package io.keelson.storage.kv;

import io.keelson.api.ApiObject;
import io.keelson.storage.ContinueToken;
import io.keelson.storage.Keys;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ListSemantics;
import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One list of a collection, or of one key, straight from the store. Reads in ranges: as many keys as the page wants at first, twice as
 * many in each further round while a selector drops what was read, {@value KvStore#MAX_RANGE} at most.
 */
final class KvLister {
    /** How often a list at no particular revision begins anew because compaction overtook it. */
    private static final int MAX_RESTARTS = 3;

    private final KvStore store;
    private final Function<KeyValue, ApiObject> decode;
    private final String key;
    private final ListOptions options;
    private final ListSemantics semantics;

    KvLister(KvStore store, Function<KeyValue, ApiObject> decode, String key, ListOptions options) {
        this.store = store;
        this.decode = decode;
        this.key = key;
        this.options = options;
        this.semantics = ListSemantics.of(key, options);
    }

    ListResult list() {
        String start = semantics.startKey() == null ? key : semantics.startKey();
        for (int restarts = 0; ; restarts++) {
            try {
                return pages(start);
            } catch (StorageException.Expired e) {
                // A revision that the client did not choose is not one that it can be told is gone.
                if (semantics.exact() || restarts == MAX_RESTARTS) {
                    throw expired(e);
                }
            }
        }
    }

    private StorageException expired(StorageException.Expired e) {
        if (semantics.startKey() == null) {
            return e;
        }
        return new StorageException.Expired(
                "The provided continue parameter is too old to display a consistent list result. Use the token in"
                        + " this answer to go on from the same place at the latest resourceVersion, or begin anew"
                        + " without one.",
                new ContinueToken(-1, semantics.startKey()).encode(key));
    }

    private ListResult pages(String firstKey) {
        String start = firstKey;
        String end = Keys.isCollection(key) ? Keys.endOf(key) : key + "\0";
        long revision = semantics.exactRevision();
        long limit = options.limit() > 0 ? options.limit() : Long.MAX_VALUE;
        int range = (int) Math.min(limit, KvStore.MAX_RANGE);
        var items = new ArrayList<ApiObject>();
        while (true) {
            KvStore.RangeResult page = store.range(start, end, revision, range);
            if (revision == 0) {
                revision = page.revision();
                KvStorage.checkReached(semantics.mostRecent() ? null : semantics.minimumRevision(), revision);
            }
            int read = 0;
            for (KeyValue kv : page.kvs()) {
                read++;
                ApiObject object = decode.apply(kv);
                if (options.predicate().matches(object)) {
                    items.add(object);
                    if (items.size() == limit) {
                        return cut(items, revision, kv.key(), page.count() - read);
                    }
                }
            }
            if (!page.more()) {
                return new ListResult(items, revision, "", null);
            }
            start = page.kvs().getLast().key() + "\0";
            range = (int) Math.min(range * 2L, KvStore.MAX_RANGE);
        }
    }

    /** A page that the limit ends; {@code left} keys follow it, whether they match or not. */
    private ListResult cut(List<ApiObject> items, long revision, String lastKey, long left) {
        if (left == 0) {
            return new ListResult(items, revision, "", null);
        }
        @Nullable Long remaining = options.predicate().everything() ? left : null;
        return new ListResult(
                items, revision, ContinueToken.after(lastKey, revision).encode(key), remaining);
    }
}
