package io.keelson.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Storage} must do, by verb. A storage's test class extends this and says how to open one. The store
 * below may be shared by the tests of a class, as each works below a prefix of its own; only nobody else may write
 * meanwhile.
 */
@Timeout(120)
public abstract class StorageContract
        implements CreateContract,
                GetContract,
                ListContract,
                PagingContract,
                UpdateContract,
                DeleteContract,
                WatchContract,
                InitialEventsContract {
    private static final Duration PATIENT = Duration.ofSeconds(20);
    private static final Duration IMPATIENT = Duration.ofMillis(50);

    private final String prefix = "/registry/" + UUID.randomUUID() + "/things/";
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Storage storage;

    /** Opens the store that all storages of a test share. */
    protected abstract void openStore() throws Exception;

    protected abstract void closeStore();

    /**
     * Opens a storage and waits until it is ready; the test closes it.
     *
     * @param freshness how long it may wait for a revision that is yet to come
     */
    protected abstract Storage openStorage(String resourcePrefix, Duration freshness);

    @BeforeEach
    void open() throws Exception {
        openStore();
        storage = openStorage(prefix, PATIENT);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
        storage.close();
        closeStore();
    }

    @Override
    public final Storage storage() {
        return storage;
    }

    @Override
    public final Storage impatientStorage() {
        Storage impatient = openStorage(prefix, IMPATIENT);
        opened.add(impatient);
        return impatient;
    }

    @Override
    public final String prefix() {
        return prefix;
    }

    @Override
    public final WatchReader watch(String key, ListOptions options) {
        var reader = new WatchReader(storage.watch(key, options));
        opened.add(reader);
        return reader;
    }

    @Override
    public void passTime(Duration time) {}
}
