package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.WatchEvent;
import io.keelson.cacher.store.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Where a watcher begins.
 *
 * @param sequence the first event of the log that it looks at
 * @param revision it sees only events after this revision, which may be yet to come
 * @param initial the objects that it sees as added before; null for none
 * @param initialEnd the bookmark that ends them; null where none is due
 */
record WatchStart(
        long sequence,
        long revision,
        @Nullable Cursor<ApiObject> initial,
        @Nullable WatchEvent initialEnd) {
    static WatchStart after(long revision, long sequence) {
        return new WatchStart(sequence, revision, null, null);
    }
}
