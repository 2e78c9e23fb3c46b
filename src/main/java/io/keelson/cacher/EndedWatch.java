package io.keelson.cacher;

import io.keelson.api.WatchEvent;
import io.keelson.storage.Watch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A watch that could not begin: its one event says why. */
final class EndedWatch implements Watch {
    private final AtomicReference<@Nullable WatchEvent> last;

    EndedWatch(WatchEvent last) {
        this.last = new AtomicReference<>(last);
    }

    @Override
    public @Nullable WatchEvent poll() {
        return last.getAndSet(null);
    }

    @Override
    public void onReady(Runnable callback) {
        callback.run();
    }

    @Override
    public boolean ended() {
        return last.get() == null;
    }

    @Override
    public void close() {
        last.set(null);
    }
}
