package io.keelson.storage.kv;

import io.keelson.storage.StorageException;
import java.util.List;

/** Takes what a {@link KvWatch} brings, from one thread at a time. Must not block for long: the store waits for it. */
public interface KvWatchSink {
    /** Changes, in order of revision. All changes of one revision come in one call. */
    void onEvents(List<KvEvent> events);

    /** All changes up to and including a revision have been given to {@link #onEvents}. */
    void onProgress(long revision);

    /** The watch has ended and will not come back: compacted (Expired), or a fault that retrying cannot mend. */
    void onError(StorageException error);
}
