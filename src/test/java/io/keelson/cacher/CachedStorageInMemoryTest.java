package io.keelson.cacher;

import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.embedded.MutableClock;
import io.keelson.storage.kv.KvStore;
import java.time.Duration;
import java.time.InstantSource;

/** On the embedded store in memory. */
class CachedStorageInMemoryTest extends CachedStorageContract {
    private final MutableClock clock = new MutableClock();

    @Override
    protected KvStore openKvStore() {
        return EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, clock));
    }

    @Override
    protected InstantSource clock() {
        return clock;
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
    }
}
