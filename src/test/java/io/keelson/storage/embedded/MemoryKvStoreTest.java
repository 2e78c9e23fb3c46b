package io.keelson.storage.embedded;

import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvStoreContract;
import java.time.Duration;

/** The embedded store in memory. */
class MemoryKvStoreTest extends KvStoreContract {
    private final MutableClock clock = new MutableClock();

    @Override
    protected KvStore openStore() {
        return EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, clock));
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
    }
}
