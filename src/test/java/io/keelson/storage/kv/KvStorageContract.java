package io.keelson.storage.kv;

import io.keelson.api.ObjectDecoder;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageContract;
import java.time.Duration;
import java.time.InstantSource;

/** The contract of every Storage for the one that reads and writes a store. */
public abstract class KvStorageContract extends StorageContract {
    private KvStore store;

    /** Opens a store; the test closes it. */
    protected abstract KvStore openKvStore() throws Exception;

    protected InstantSource clock() {
        return InstantSource.system();
    }

    protected final KvStorage kvStorage(String resourcePrefix) {
        return new KvStorage(store, new ObjectDecoder(FIELDS), resourcePrefix, clock());
    }

    @Override
    protected final void openStore() throws Exception {
        store = openKvStore();
    }

    @Override
    protected final void closeStore() {
        store.close();
    }

    @Override
    protected Storage openStorage(String resourcePrefix, Duration freshness) {
        return kvStorage(resourcePrefix);
    }

    @Override
    public final void compact(long revision) {
        store.compact(revision);
    }

    @Override
    public boolean cached() {
        return false;
    }

    @Override
    public final boolean supportsProgress() {
        return store.supportsProgress();
    }
}
