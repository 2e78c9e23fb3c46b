package io.keelson.storage.kv;

import io.keelson.api.ApiObject;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what a watch brings for one who follows a resource. A value that is no object ends the watch with an error, as
 * does a fault of the follower: whoever watches must hear that it has no longer all changes.
 */
final class ChangeSink implements KvWatchSink {
    private final Function<KeyValue, ApiObject> decode;
    private final ListerWatcher.Sink to;
    private boolean ended;

    ChangeSink(Function<KeyValue, ApiObject> decode, ListerWatcher.Sink to) {
        this.decode = decode;
        this.to = to;
    }

    @Override
    public void onEvents(List<KvEvent> events) {
        if (ended) {
            return;
        }
        try {
            var changes = new ArrayList<ListerWatcher.Change>(events.size());
            for (KvEvent event : events) {
                changes.add(new ListerWatcher.Change(event.key(), object(event), event.revision()));
            }
            to.onChanges(changes);
        } catch (StorageException e) {
            onError(e);
        } catch (RuntimeException e) {
            onError(new StorageException.Internal("a change could not be taken in: " + e.getMessage(), e));
        }
    }

    private @Nullable ApiObject object(KvEvent event) {
        byte[] value = event.value();
        return value == null ? null : decode.apply(new KeyValue(event.key(), value, 0, event.revision(), 0, 0));
    }

    @Override
    public void onProgress(long revision) {
        if (!ended) {
            to.onProgress(revision);
        }
    }

    @Override
    public void onError(StorageException error) {
        if (!ended) {
            ended = true;
            to.onError(error);
        }
    }
}
