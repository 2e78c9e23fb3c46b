package io.keelson.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvWatchSink;
import io.keelson.storage.kv.RecordingWatchSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the embedded store does beyond the contract: its disk, its commits, its memory. */
@Timeout(120)
class EmbeddedDurabilityTest {
    private static final byte[] KILOBYTE = new byte[1024];

    private final MutableClock clock = new MutableClock();
    private EmbeddedKvStore store;

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        store = EmbeddedKvStore.open(new EmbeddedOptions(folder.toString(), clock));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void reopen() {
        close();
        open();
    }

    @Test
    void allIsThereWhenOpenedAgain() {
        long a = put("/a", 0);
        long a2 = put("/a", a);
        long b = put("/b", 0);
        long gone = store.delete("/b", b).revision();
        store.compact(a2);
        reopen();
        assertThat(store.currentRevision()).isEqualTo(gone);
        assertThat(store.compactRevision()).isEqualTo(a2);
        assertThat(store.get("/a").kv().version()).isEqualTo(2);
        assertThat(store.range("/", "0", b, 10).count()).isEqualTo(2);
        assertThatThrownBy(() -> store.range("/", "0", a, 10)).isInstanceOf(StorageException.Expired.class);
        assertThat(put("/c", 0)).isEqualTo(gone + 1);
    }

    @Test
    void writesThatWaitShareOneCommit() throws Exception {
        int writers = 50;
        var release = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        long before = store.committer().commits();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> blocker = threads.submit(() -> store.committer().commit(_ -> {
                blocked.countDown();
                return awaitUninterrupted(release);
            }));
            blocked.await();
            List<Future<KvStore.WriteResult>> writes = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                String key = "/" + i;
                writes.add(threads.submit(() -> store.put(key, KILOBYTE, 0, 0)));
            }
            await().until(() -> store.committer().waiting() == writers);
            release.countDown();
            assertThat(blocker.get()).isTrue();
            for (Future<KvStore.WriteResult> write : writes) {
                assertThat(write.get().succeeded()).isTrue();
            }
        }
        assertThat(store.committer().commits() - before).isEqualTo(2);
    }

    private static boolean awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void compactionGivesSpaceBack() {
        byte[] large = new byte[64 << 10];
        long last = 0;
        for (int i = 0; i < 300; i++) {
            last = store.put("/a", large, last, 0).revision();
        }
        long before = store.status().databaseBytes();
        assertThat(before).isGreaterThan(15L << 20);
        store.compact(last);
        assertThat(store.status().databaseBytes()).isLessThan(before / 5);
        assertThat(store.get("/a").kv().version()).isEqualTo(300);
        assertThat(put("/b", 0)).isEqualTo(last + 1);
    }

    @Test
    void historyOfManySmallWritesIsRemovedInPortions() {
        store.committer().commit(session -> {
            long last = 0;
            for (int i = 0; i < 3_000; i++) {
                last = session.put("/a", new byte[10], last, 0).revision();
                if (i % 3 == 2) {
                    var _ = session.delete("/a", last);
                    last = 0;
                }
            }
            return last;
        });
        long now = store.currentRevision();
        store.compact(now);
        assertThat(rows()).isEqualTo(1);
        put("/b", 0);
        store.compact(now + 1);
        assertThat(rows()).isEqualTo(1);
    }

    private long rows() {
        return store.committer().commit(session -> Database.number(session.connection(), "SELECT COUNT(*) FROM kv"));
    }

    @Test
    void aFullDiskStopsWritesAndLosesNothing() {
        List<String> acknowledged = new ArrayList<>();
        store.committer().commit(session -> {
            session.pragma("PRAGMA max_page_count = 100");
            return true;
        });
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        put("/" + i, 0);
                        acknowledged.add("/" + i);
                    }
                })
                .isInstanceOf(StorageException.Unreachable.class)
                .hasMessageContaining("stopped writing")
                .hasMessageContaining("full");
        assertThat(acknowledged).isNotEmpty();
        long last = store.currentRevision();
        assertThat(last).isEqualTo(ReadSession.INITIAL_REVISION + acknowledged.size());
        assertThatThrownBy(() -> store.delete("/0", 2)).isInstanceOf(StorageException.Unreachable.class);
        assertThat(store.currentRevision()).isEqualTo(last);
        assertThatThrownBy(store::status)
                .isInstanceOf(StorageException.Unreachable.class)
                .hasMessageContaining("full");
        assertThat(store.get("/0").kv()).isNotNull();
        assertThat(store.count("/", "0")).isEqualTo(acknowledged.size());

        reopen();
        assertThat(store.currentRevision()).isEqualTo(last);
        assertThat(acknowledged)
                .allSatisfy(key -> assertThat(store.get(key).kv()).isNotNull());
        assertThat(put("/after", 0)).isEqualTo(last + 1);
    }

    @Test
    void aLeaseEndsWhileTheStoreIsClosed() {
        long brief = store.grantLease(60);
        long lasting = store.grantLease(3600);
        store.put("/brief", KILOBYTE, 0, brief);
        long last = store.put("/lasting", KILOBYTE, 0, lasting).revision();
        close();
        clock.advance(Duration.ofSeconds(61));
        open();
        var sink = new RecordingWatchSink();
        try (var _ = store.watch("/", "0", last + 1, sink)) {
            KvEvent event = sink.awaitEvents(1).getFirst();
            assertThat(event.key()).isEqualTo("/brief");
            assertThat(event.deleted()).isTrue();
        }
        assertThat(store.get("/lasting").kv()).isNotNull();
        assertThat(store.grantLease(1)).isGreaterThan(lasting);
    }

    @Test
    void aLeaseLivesToItsEnd() {
        long lease = store.grantLease(60);
        long last = store.put("/a", KILOBYTE, 0, lease).revision();
        clock.advance(Duration.ofMillis(59_999));
        long other = store.grantLease(1);
        store.put("/b", KILOBYTE, 0, other);
        var sink = new RecordingWatchSink();
        try (var _ = store.watch("/", "0", last + 2, sink)) {
            clock.advance(Duration.ofMillis(1));
            assertThat(sink.awaitEvents(1).getFirst().key()).isEqualTo("/a");
            assertThat(store.get("/b").kv()).isNotNull();
            clock.advance(Duration.ofSeconds(1));
            assertThat(sink.awaitEvents(2).get(1).key()).isEqualTo("/b");
        }
    }

    @Test
    void aSlowWatchLosesNothing() throws Exception {
        int writes = 5_000;
        long before = store.currentRevision();
        var sink = new RecordingWatchSink();
        var release = new CountDownLatch(1);
        var slow = new KvWatchSink() {
            @Override
            public void onEvents(List<KvEvent> events) {
                awaitUninterrupted(release);
                sink.onEvents(events);
            }

            @Override
            public void onProgress(long revision) {
                sink.onProgress(revision);
            }

            @Override
            public void onError(StorageException error) {
                sink.onError(error);
            }
        };
        try (var _ = store.watch("/", "0", before + 1, slow)) {
            for (int batch = 0; batch < 50; batch++) {
                String prefix = "/" + batch + "/";
                store.committer().commit(session -> {
                    for (int i = 0; i < writes / 50; i++) {
                        var _ = session.put(prefix + i, new byte[16], 0, 0);
                    }
                    return true;
                });
            }
            store.requestProgress();
            release.countDown();
            sink.awaitProgress(before + writes);
            assertThat(sink.events()).hasSize(writes);
            put("/live", 0);
            assertThat(sink.awaitEvents(writes + 1).getLast().key()).isEqualTo("/live");
        }
    }

    @Test
    void closingEndsTheWatchesAndRefusesWrites() {
        var sink = new RecordingWatchSink();
        store.watch("/", "0", store.currentRevision() + 1, sink);
        close();
        assertThat(sink.awaitError()).isInstanceOf(StorageException.Unreachable.class);
        assertThatThrownBy(() -> put("/a", 0))
                .isInstanceOf(StorageException.Unreachable.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> store.get("/a")).isInstanceOf(StorageException.Unreachable.class);
    }

    private long put(String key, long expected) {
        return store.put(key, KILOBYTE, expected, 0).revision();
    }
}
