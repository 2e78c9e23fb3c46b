package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import io.keelson.storage.WatchReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch without a cache, on a store whose watch the test feeds. */
@Timeout(60)
class KvStorageWatchTest {
    private static final String PREFIX = "/registry/things/";
    private static final int MORE_THAN_A_QUEUE = 10_001;

    private final TestingKvStore store = new TestingKvStore();
    private final KvStorage storage =
            new KvStorage(store, new ObjectDecoder(StorageContext.FIELDS), PREFIX, java.time.InstantSource.system());

    private static KeyValue kv(int number, long revision) {
        String path = "ns/" + (100_000 + number);
        return new KeyValue(
                PREFIX + path, Json.writeObject(StorageContext.thing(path, "front", "1")), revision, revision, 1, 0);
    }

    private void feed(int number, long revision) {
        KeyValue kv = kv(number, revision);
        store.sink.get().onEvents(List.of(new KvEvent(kv.key(), kv.value(), null, revision)));
    }

    private static List<WatchEvent> drain(Watch watch) {
        List<WatchEvent> events = new ArrayList<>();
        for (WatchEvent event = watch.poll(); event != null; event = watch.poll()) {
            events.add(event);
        }
        return events;
    }

    @Test
    void aLargeCollectionDoesNotCountAsFallenBehind() {
        for (int i = 0; i < MORE_THAN_A_QUEUE; i++) {
            store.kvs.add(kv(i, i + 2L));
        }
        store.revision = MORE_THAN_A_QUEUE + 1L;
        try (Watch watch = storage.watch(
                PREFIX, ListOptions.LATEST.withSendInitialEvents(true).withAllowBookmarks(true))) {
            feed(MORE_THAN_A_QUEUE, store.revision + 1);
            List<WatchEvent> events = drain(watch);
            assertThat(events).hasSize(MORE_THAN_A_QUEUE + 2);
            assertThat(events.get(MORE_THAN_A_QUEUE).type()).isEqualTo(WatchEventType.BOOKMARK);
            assertThat(events.getLast().resourceVersion()).isEqualTo(store.revision + 1);
        }
    }

    @Test
    void aReaderWhoFallsBehindIsExpired() {
        Watch watch = storage.watch(PREFIX, StorageContext.after(1));
        for (int i = 0; i < MORE_THAN_A_QUEUE; i++) {
            feed(i, i + 2L);
        }
        List<WatchEvent> events = drain(watch);
        assertThat(events).hasSize(1);
        assertThat(WatchReader.describe(events.getFirst())).contains("410");
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void aDeletionWhoseStateIsCompactedEndsTheWatchInsteadOfBeingLost() {
        Watch watch = storage.watch(PREFIX, StorageContext.after(1));
        store.sink.get().onEvents(List.of(new KvEvent(PREFIX + "ns/a", null, null, 2)));
        assertThat(WatchReader.describe(watch.poll())).contains("410");
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void anErrorComesAfterTheEventsBeforeIt() {
        Watch watch = storage.watch(PREFIX, StorageContext.after(1));
        feed(1, 2);
        store.sink.get().onError(new StorageException.Unreachable("away", null));
        feed(2, 3);
        List<WatchEvent> events = drain(watch);
        assertThat(events).extracting(WatchEvent::type).containsExactly(WatchEventType.ADDED, WatchEventType.ERROR);
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void noBookmarkTellsLessThanTheStart() {
        Watch watch = storage.watch(PREFIX, StorageContext.after(7).withAllowBookmarks(true));
        store.sink.get().onProgress(6);
        assertThat(watch.poll()).isNull();
        store.sink.get().onProgress(7);
        assertThat(watch.poll().resourceVersion()).isEqualTo(7);
    }

    /** A store of a fixed list of keys whose only watch is fed by the test. */
    private static final class TestingKvStore implements KvStore {
        final List<KeyValue> kvs = new ArrayList<>();
        final AtomicReference<KvWatchSink> sink = new AtomicReference<>();
        long revision = 1;

        @Override
        public RangeResult range(String start, String end, long asOf, int limit) {
            List<KeyValue> all =
                    kvs.stream().filter(kv -> kv.key().compareTo(start) >= 0).toList();
            List<KeyValue> page = all.subList(0, Math.min(limit, all.size()));
            return new RangeResult(page, revision, all.size(), page.size() < all.size());
        }

        @Override
        public KvWatch watch(String start, String end, long startRevision, KvWatchSink to) {
            sink.set(to);
            return new KvWatch() {
                @Override
                public void close() {}

                @Override
                public void requestProgress() {}
            };
        }

        @Override
        public GetResult get(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long count(String start, String end) {
            throw new UnsupportedOperationException();
        }

        @Override
        public WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
            throw new UnsupportedOperationException();
        }

        @Override
        public WriteResult delete(String key, long expectedModRevision) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long currentRevision() {
            return revision;
        }

        @Override
        public long grantLease(long ttlSeconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void requestProgress() {}

        @Override
        public boolean supportsProgress() {
            return true;
        }

        @Override
        public void compact(long to) {}

        @Override
        public long compactRevision() {
            return 0;
        }

        @Override
        public StoreStatus status() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
