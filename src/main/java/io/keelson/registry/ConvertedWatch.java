package io.keelson.registry;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.Watch;
import org.jspecify.annotations.Nullable;

/** A watch of a served version: the events of the stored version, each converted when its consumer polls it. */
final class ConvertedWatch implements Watch {
    private final Watch stored;
    private final Conversion conversion;

    ConvertedWatch(Watch stored, Conversion conversion) {
        this.stored = stored;
        this.conversion = conversion;
    }

    @Override
    public @Nullable WatchEvent poll() {
        WatchEvent event = stored.poll();
        return event == null ? null : convert(event);
    }

    private WatchEvent convert(WatchEvent event) {
        ApiObject object = event.object();
        if (object != null) {
            return WatchEvent.of(event.type(), conversion.served(object));
        }
        // An event remembers its frame, and a bookmark's frame names the kind: it must not be shared with the stored
        // kind.
        return event.type() == WatchEventType.BOOKMARK
                ? WatchEvent.bookmark(event.json(), event.resourceVersion())
                : event;
    }

    @Override
    public void onReady(Runnable callback) {
        stored.onReady(callback);
    }

    @Override
    public boolean ended() {
        return stored.ended();
    }

    @Override
    public void close() {
        stored.close();
    }
}
