package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageException;
import java.util.List;

/**
 * Gives a cache the objects of a source, the large ones packed: for a resource whose objects are seldom read, as neither its state
 * nor its window then hold what they take as JSON. Thread-safe, as the source is.
 */
public final class PackingSource implements ListerWatcher {
    private final ListerWatcher source;
    private final int fromBytes;

    /** @param fromBytes how long the JSON of an object is at least that is packed */
    public PackingSource(ListerWatcher source, int fromBytes) {
        this.source = source;
        this.fromBytes = fromBytes;
    }

    private ApiObject packed(ApiObject object) {
        return object.json().length >= fromBytes ? object.packed() : object;
    }

    private Change packed(Change change) {
        ApiObject object = change.object();
        return object == null ? change : new Change(change.key(), packed(object), change.revision());
    }

    @Override
    public long list(ObjectConsumer consumer) {
        return source.list((key, object) -> consumer.accept(key, packed(object)));
    }

    @Override
    public long listAt(long revision, ObjectConsumer consumer) {
        return source.listAt(revision, (key, object) -> consumer.accept(key, packed(object)));
    }

    @Override
    public void versionsAt(long revision, VersionConsumer consumer) {
        source.versionsAt(revision, consumer);
    }

    @Override
    public Subscription watch(long afterRevision, Sink sink) {
        return source.watch(afterRevision, new Sink() {
            @Override
            public void onChanges(List<Change> changes) {
                sink.onChanges(changes.stream().map(PackingSource.this::packed).toList());
            }

            @Override
            public void onProgress(long revision) {
                sink.onProgress(revision);
            }

            @Override
            public void onError(StorageException error) {
                sink.onError(error);
            }
        });
    }

    @Override
    public boolean supportsProgress() {
        return source.supportsProgress();
    }

    @Override
    public long currentRevision() {
        return source.currentRevision();
    }

    @Override
    public long compactRevision() {
        return source.compactRevision();
    }
}
