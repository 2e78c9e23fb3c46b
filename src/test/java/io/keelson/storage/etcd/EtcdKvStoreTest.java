package io.keelson.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore.GetResult;
import io.keelson.storage.kv.KvStore.WriteResult;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.RecordingWatchSink;
import io.keelson.storage.kv.StoreStatus;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only an etcd behind a network can do to a store. */
final class EtcdKvStoreTest {
    private static final String PREFIX = "/registry/pods/";
    private static final String PREFIX_END = "/registry/pods0";

    private static int port(EtcdServer etcd) {
        return URI.create(etcd.endpoint()).getPort();
    }

    private static EtcdKvStore connect(Duration timeout, String... endpoints) {
        return EtcdKvStore.connect(new EtcdOptions(List.of(endpoints), null, null, null, true, timeout));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static WriteResult create(EtcdKvStore store, String name) {
        WriteResult result = store.put(PREFIX + name, bytes("value of " + name), 0, 0);
        assertThat(result.succeeded()).isTrue();
        return result;
    }

    private static List<String> names(List<KvEvent> events) {
        return events.stream()
                .map(event -> event.key().substring(PREFIX.length()))
                .toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @ParameterizedTest
    @EnumSource(EtcdVersion.class)
    void watch_goes_on_without_gap_after_etcd_was_killed_under_writes(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.start(version);
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            RecordingWatchSink sink = new RecordingWatchSink();
            try (KvWatch ignored = store.watch(PREFIX, PREFIX_END, 1, sink)) {
                for (int i = 0; i < 50; i++) {
                    create(store, Integer.toString(i));
                }
                sink.awaitEvents(50);
                etcd.kill();
                etcd.restart();
                for (int i = 50; i < 100; i++) {
                    createWhenBack(store, Integer.toString(i));
                }
                assertThat(names(sink.awaitEvents(100))).isEqualTo(numbers(0, 100));
            }
        }
    }

    private static void createWhenBack(EtcdKvStore store, String name) {
        Awaitility.await()
                .ignoreExceptionsMatching(StorageException.Unreachable.class::isInstance)
                .until(() -> {
                    create(store, name);
                    return true;
                });
    }

    @ParameterizedTest
    @EnumSource(EtcdVersion.class)
    void watch_cut_before_its_first_event_starts_where_it_was_asked_to(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.start(version);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore writer = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore watcher = connect(Duration.ofSeconds(5), proxy.endpoint())) {
            long first = create(writer, "0").revision();
            for (int i = 1; i < 20; i++) {
                create(writer, Integer.toString(i));
            }
            watcher.currentRevision();
            proxy.swallowAnswers();
            RecordingWatchSink sink = new RecordingWatchSink();
            try (KvWatch ignored = watcher.watch(PREFIX, PREFIX_END, first, sink)) {
                proxy.cut();
                for (int i = 20; i < 40; i++) {
                    create(writer, Integer.toString(i));
                }
                proxy.heal();
                proxy.cut();
                assertThat(names(sink.awaitEvents(40))).isEqualTo(numbers(0, 40));
            }
        }
    }

    @Test
    void watch_survives_many_cuts_and_delivers_each_event_once() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore writer = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore watcher = connect(Duration.ofSeconds(5), proxy.endpoint())) {
            RecordingWatchSink sink = new RecordingWatchSink();
            try (KvWatch ignored = watcher.watch(PREFIX, PREFIX_END, 1, sink)) {
                for (int i = 0; i < 400; i++) {
                    create(writer, Integer.toString(i));
                    watcher.requestProgress();
                    if (i % 40 == 0) {
                        proxy.cut();
                    }
                }
                assertThat(names(sink.awaitEvents(400))).isEqualTo(numbers(0, 400));
            }
        }
    }

    @Test
    void progress_is_told_to_every_watch_also_when_the_store_is_idle() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            long revision = create(store, "0").revision();
            RecordingWatchSink busy = new RecordingWatchSink();
            RecordingWatchSink idle = new RecordingWatchSink();
            RecordingWatchSink late = new RecordingWatchSink();
            try (KvWatch first = store.watch(PREFIX, PREFIX_END, 1, busy);
                    KvWatch second = store.watch("/registry/nodes/", "/registry/nodes0", 1, idle)) {
                assertThat(store.supportsProgress()).isTrue();
                store.requestProgress();
                busy.awaitProgress(revision);
                store.requestProgress();
                idle.awaitProgress(revision);
                busy.awaitEvents(1);
                try (KvWatch third = store.watch(PREFIX, PREFIX_END, 1, late)) {
                    store.requestProgress();
                    late.awaitProgress(revision);
                    late.awaitEvents(1);
                }
            }
        }
    }

    @Test
    void progress_of_an_old_etcd_is_not_believed() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_4);
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            RecordingWatchSink sink = new RecordingWatchSink();
            try (KvWatch ignored = store.watch(PREFIX, PREFIX_END, 1, sink)) {
                create(store, "0");
                sink.awaitEvents(1);
                store.requestProgress();
                create(store, "1");
                sink.awaitEvents(2);
                assertThat(sink.progress()).isZero();
                assertThat(store.supportsProgress()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EtcdVersion.class)
    void compaction_ends_reads_and_watches_of_what_is_gone(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.start(version);
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            long old = create(store, "0").revision();
            long latest = create(store, "1").revision();
            RecordingWatchSink healthy = new RecordingWatchSink();
            try (KvWatch ignored = store.watch(PREFIX, PREFIX_END, latest, healthy)) {
                store.compact(latest);
                store.compact(old);
                assertThat(store.compactRevision()).isEqualTo(latest);
                assertThatThrownBy(() -> store.range(PREFIX, PREFIX_END, old, 10))
                        .isInstanceOf(StorageException.Expired.class);
                RecordingWatchSink late = new RecordingWatchSink();
                try (KvWatch expired = store.watch(PREFIX, PREFIX_END, old, late)) {
                    assertThat(late.awaitError()).isInstanceOf(StorageException.Expired.class);
                }
                create(store, "2");
                assertThat(names(healthy.awaitEvents(2))).containsExactly("1", "2");
                assertThatThrownBy(() -> store.range(PREFIX, PREFIX_END, latest + 100, 10))
                        .isInstanceOfSatisfying(
                                StorageException.TooLargeResourceVersion.class,
                                e -> assertThat(e.current()).isEqualTo(latest + 1));
            }
        }
    }

    @Test
    void store_is_made_without_etcd_and_works_once_it_is_there() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5)) {
            etcd.kill();
            try (EtcdKvStore early = connect(Duration.ofSeconds(2), etcd.endpoint())) {
                RecordingWatchSink sink = new RecordingWatchSink();
                try (KvWatch ignored = early.watch(PREFIX, PREFIX_END, 1, sink)) {
                    assertThatThrownBy(() -> early.get(PREFIX)).isInstanceOf(StorageException.Unreachable.class);
                    assertThatThrownBy(() -> early.put(PREFIX, bytes(""), 0, 0))
                            .isInstanceOf(StorageException.Unreachable.class);
                    assertThatThrownBy(early::status).isInstanceOf(StorageException.Unreachable.class);
                    assertThat(early.supportsProgress()).isFalse();
                    etcd.restart();
                    createWhenBack(early, "0");
                    assertThat(names(sink.awaitEvents(1))).containsExactly("0");
                    assertThat(early.supportsProgress()).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EtcdVersion.class)
    void write_whose_answer_is_lost_with_its_connection_is_found_to_have_happened(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.start(version);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore direct = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore store = connect(Duration.ofSeconds(10), proxy.endpoint())) {
            store.currentRevision();
            WriteResult created = loseAnswer(proxy, direct, () -> store.put(PREFIX + "a", bytes("1"), 0, 0));
            assertHappened(direct, created, "1", 1);
            WriteResult updated =
                    loseAnswer(proxy, direct, () -> store.put(PREFIX + "a", bytes("2"), created.revision(), 0));
            assertHappened(direct, updated, "2", 2);
            WriteResult deleted = loseAnswer(proxy, direct, () -> store.delete(PREFIX + "a", updated.revision()));
            assertThat(deleted.succeeded()).isTrue();
            assertThat(deleted.revision()).isEqualTo(updated.revision() + 1);
            assertThat(direct.get(PREFIX + "a").kv()).isNull();
        }
    }

    private static void assertHappened(EtcdKvStore direct, WriteResult result, String value, long version) {
        assertThat(result.succeeded()).isTrue();
        GetResult now = direct.get(PREFIX + "a");
        assertThat(now.kv().value()).isEqualTo(bytes(value));
        assertThat(now.kv().modRevision()).isEqualTo(result.revision());
        assertThat(now.kv().version()).isEqualTo(version);
    }

    /** Makes a write of which etcd takes the request, while its answer gets lost and then the connection breaks. */
    private static WriteResult loseAnswer(TcpProxy proxy, EtcdKvStore direct, Supplier<WriteResult> write) {
        long before = direct.currentRevision();
        proxy.swallowAnswers();
        AtomicReference<WriteResult> result = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> result.set(write.get()));
        Awaitility.await().until(() -> direct.currentRevision() > before);
        proxy.heal();
        proxy.cut();
        Awaitility.await().until(() -> !caller.isAlive());
        return result.get();
    }

    @Test
    void write_whose_answer_is_lost_is_judged_by_the_first_write_after_it() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore direct = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore store = connect(Duration.ofSeconds(10), proxy.endpoint())) {
            long base = create(direct, "a").revision();
            store.currentRevision();
            proxy.swallowAnswers();
            AtomicReference<WriteResult> result = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> result.set(store.put(PREFIX + "a", bytes("ours"), base, 0)));
            Awaitility.await().until(() -> direct.currentRevision() > base);
            WriteResult later = direct.put(PREFIX + "a", bytes("theirs"), base + 1, 0);
            assertThat(direct.delete(PREFIX + "a", later.revision()).succeeded())
                    .isTrue();
            proxy.heal();
            proxy.cut();
            Awaitility.await().until(() -> !caller.isAlive());
            assertThat(result.get()).isEqualTo(new WriteResult(true, base + 1, null));
        }
    }

    @Test
    void write_that_came_too_late_has_failed_though_its_answer_is_lost() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore direct = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore store = connect(Duration.ofSeconds(4), proxy.endpoint())) {
            long base = create(direct, "a").revision();
            WriteResult theirs = direct.put(PREFIX + "a", bytes("theirs"), base, 0);
            store.currentRevision();
            proxy.swallowAnswers();
            AtomicReference<WriteResult> result = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> result.set(store.put(PREFIX + "a", bytes("ours"), base, 0)));
            Awaitility.await().until(() -> proxy.swallowed() > 0);
            proxy.heal();
            proxy.cut();
            Awaitility.await().until(() -> !caller.isAlive());
            assertThat(result.get().succeeded()).isFalse();
            assertThat(result.get().current().modRevision()).isEqualTo(theirs.revision());
        }
    }

    @Test
    void write_whose_answer_never_comes_stays_unknown_within_the_timeout() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore direct = connect(Duration.ofSeconds(5), etcd.endpoint());
                EtcdKvStore store = connect(Duration.ofMillis(1500), proxy.endpoint())) {
            store.currentRevision();
            proxy.swallowAnswers();
            long start = System.nanoTime();
            assertThatThrownBy(() -> store.put(PREFIX + "a", bytes("1"), 0, 0))
                    .isInstanceOf(StorageException.UnknownOutcome.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2500));
            assertThatThrownBy(() -> store.get(PREFIX + "a")).isInstanceOf(StorageException.Timeout.class);
            assertThat(direct.get(PREFIX + "a").kv().version()).isEqualTo(1);
        }
    }

    @Test
    void calls_go_to_another_endpoint_when_one_is_away() {
        EtcdServer gone = EtcdServer.start(EtcdVersion.V3_5);
        gone.close();
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                TcpProxy proxy = TcpProxy.to(port(etcd));
                EtcdKvStore store =
                        connect(Duration.ofSeconds(5), gone.endpoint(), proxy.endpoint(), etcd.endpoint())) {
            RecordingWatchSink sink = new RecordingWatchSink();
            try (KvWatch ignored = store.watch(PREFIX, PREFIX_END, 1, sink)) {
                create(store, "0");
                sink.awaitEvents(1);
                proxy.refuse();
                createWhenBack(store, "1");
                assertThat(names(sink.awaitEvents(2))).containsExactly("0", "1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EtcdVersion.class)
    void status_tells_members_leader_and_version(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.start(version);
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            long revision = create(store, "0").revision();
            StoreStatus status = store.status();
            assertThat(status.type()).isEqualTo("etcd3");
            assertThat(status.version()).startsWith(version.minor() + ".");
            assertThat(status.members()).containsExactly("test");
            assertThat(status.leader()).isEqualTo("test");
            assertThat(status.databaseBytes()).isPositive();
            assertThat(status.revision()).isEqualTo(revision);
        }
    }

    @Test
    void client_and_server_know_each_other_by_certificates() {
        try (EtcdServer etcd = EtcdServer.startTls(EtcdVersion.V3_5)) {
            try (EtcdKvStore store = connect(etcd, etcd.caFile(), etcd.certFile(), etcd.keyFile())) {
                RecordingWatchSink sink = new RecordingWatchSink();
                try (KvWatch ignored = store.watch(PREFIX, PREFIX_END, 1, sink)) {
                    create(store, "0");
                    sink.awaitEvents(1);
                }
                assertThat(store.status().leader()).isEqualTo("test");
            }
            try (EtcdKvStore stranger = connect(etcd, etcd.caFile(), null, null)) {
                assertThatThrownBy(() -> stranger.get(PREFIX)).isInstanceOf(StorageException.Unreachable.class);
            }
            try (EtcdKvStore distrustful = connect(etcd, null, etcd.certFile(), etcd.keyFile())) {
                assertThatThrownBy(() -> distrustful.get(PREFIX)).isInstanceOf(StorageException.Unreachable.class);
            }
        }
    }

    private static EtcdKvStore connect(EtcdServer etcd, @Nullable Path ca, @Nullable Path cert, @Nullable Path key) {
        return EtcdKvStore.connect(
                new EtcdOptions(List.of(etcd.endpoint()), ca, cert, key, true, EtcdOptions.DEFAULT_TIMEOUT));
    }

    @Test
    void reads_without_quorum_are_answered() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5);
                EtcdKvStore store = EtcdKvStore.connect(new EtcdOptions(
                        List.of("127.0.0.1:" + port(etcd)), null, null, null, false, Duration.ofSeconds(5)))) {
            long revision = create(store, "0").revision();
            assertThat(store.get(PREFIX + "0").kv().modRevision()).isEqualTo(revision);
            assertThat(store.count(PREFIX, PREFIX_END)).isEqualTo(1);
            assertThat(store.range(PREFIX, PREFIX_END, 0, 10).kvs()).hasSize(1);
        }
    }

    @Test
    void full_database_refuses_writes_and_says_so() {
        try (EtcdServer etcd = EtcdServer.start(EtcdVersion.V3_5, "--quota-backend-bytes=100000");
                EtcdKvStore store = connect(Duration.ofSeconds(5), etcd.endpoint())) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            store.put(PREFIX + i, new byte[50_000], 0, 0);
                        }
                    })
                    .isInstanceOf(StorageException.Unreachable.class)
                    .hasMessageContaining("database space exceeded");
        }
    }
}
