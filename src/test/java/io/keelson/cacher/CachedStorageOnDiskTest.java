package io.keelson.cacher;

import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.embedded.MutableClock;
import io.keelson.storage.kv.KvStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

/** On the embedded store on disk. */
class CachedStorageOnDiskTest extends CachedStorageContract {
    private final MutableClock clock = new MutableClock();

    @TempDir
    Path folder;

    @Override
    protected KvStore openKvStore() {
        return EmbeddedKvStore.open(new EmbeddedOptions(folder.resolve("data").toString(), clock));
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
