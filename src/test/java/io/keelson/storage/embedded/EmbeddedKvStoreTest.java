package io.keelson.storage.embedded;

import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store on disk. */
class EmbeddedKvStoreTest extends KvStoreContract {
    private final MutableClock clock = new MutableClock();

    @TempDir
    Path folder;

    @Override
    protected KvStore openStore() {
        return EmbeddedKvStore.open(new EmbeddedOptions(folder.resolve("data").toString(), clock));
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
    }
}
