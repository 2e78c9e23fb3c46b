package io.keelson.storage.kv;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link KvStore} must do, by theme. A store's test class extends this and says how to open one. Stores may be
 * shared by the tests of a class, as each test works below a prefix of its own; only nobody else may write meanwhile.
 */
@Timeout(120)
public abstract class KvStoreContract
        implements KvReadContract, KvWriteContract, KvWatchContract, KvCompactionContract, KvLeaseContract {
    private final String prefix = "/registry/" + UUID.randomUUID() + "/";
    private final List<KvWatch> watches = new ArrayList<>();
    private KvStore store;

    /** Opens a store; the test closes it. */
    protected abstract KvStore openStore() throws Exception;

    @BeforeEach
    void open() throws Exception {
        store = openStore();
    }

    @AfterEach
    void close() {
        watches.forEach(KvWatch::close);
        store.close();
    }

    @Override
    public final KvStore store() {
        return store;
    }

    @Override
    public final String key(String name) {
        return prefix + name;
    }

    @Override
    public final KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        KvWatch watch = store.watch(start, end, startRevision, sink);
        watches.add(watch);
        return watch;
    }

    @Override
    public void passTime(Duration time) {}
}
