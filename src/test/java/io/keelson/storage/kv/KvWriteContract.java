package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of conditional puts and deletes. */
public interface KvWriteContract extends KvContext {
    @Test
    default void everyWriteRaisesTheRevisionByOne() {
        long r = store().currentRevision();
        long a = create("a", "1");
        assertThat(a).isEqualTo(r + 1);
        long b = create("b", "1");
        assertThat(b).isEqualTo(r + 2);
        assertThat(put("a", "2", a)).isEqualTo(r + 3);
        assertThat(delete("b", b)).isEqualTo(r + 4);
        assertThat(store().currentRevision()).isEqualTo(r + 4);
    }

    @Test
    default void aFailedConditionWritesNothingAndShowsTheKey() {
        long a = create("a", "1");
        KvStore.WriteResult again = store().put(key("a"), KvContext.bytes("2"), 0, 0);
        assertThat(again.succeeded()).isFalse();
        assertThat(again.revision()).isEqualTo(a);
        assertThat(again.current()).isNotNull();
        assertThat(KvContext.text(again.current().value())).isEqualTo("1");
        assertThat(again.current().modRevision()).isEqualTo(a);

        KvStore.WriteResult stale = store().put(key("a"), KvContext.bytes("2"), a - 1, 0);
        assertThat(stale.succeeded()).isFalse();
        assertThat(stale.current().modRevision()).isEqualTo(a);
        assertThat(store().currentRevision()).isEqualTo(a);
        assertThat(KvContext.text(store().get(key("a")).kv().value())).isEqualTo("1");
    }

    @Test
    default void aConditionOnAnAbsentKeyFailsWithoutCurrent() {
        long now = store().currentRevision();
        KvStore.WriteResult put = store().put(key("absent"), KvContext.bytes("1"), 7, 0);
        assertThat(put.succeeded()).isFalse();
        assertThat(put.current()).isNull();
        assertThat(put.revision()).isEqualTo(now);
        KvStore.WriteResult delete = store().delete(key("absent"), 7);
        assertThat(delete.succeeded()).isFalse();
        assertThat(delete.current()).isNull();
        assertThat(store().currentRevision()).isEqualTo(now);
    }

    @Test
    default void versionsCountTheWritesSinceCreation() {
        long created = create("a", "1");
        long last = created;
        for (int i = 2; i <= 5; i++) {
            last = put("a", "" + i, last);
            KeyValue kv = store().get(key("a")).kv();
            assertThat(kv.version()).isEqualTo(i);
            assertThat(kv.createRevision()).isEqualTo(created);
            assertThat(kv.modRevision()).isEqualTo(last);
        }
    }

    @Test
    default void deleteNeedsTheLastWrite() {
        long first = create("a", "1");
        long second = put("a", "2", first);
        KvStore.WriteResult stale = store().delete(key("a"), first);
        assertThat(stale.succeeded()).isFalse();
        assertThat(stale.current().modRevision()).isEqualTo(second);
        assertThat(delete("a", second)).isEqualTo(second + 1);
        assertThat(store().get(key("a")).kv()).isNull();
        assertThat(store().delete(key("a"), second).succeeded()).isFalse();
    }

    @Test
    default void aKeyMadeAgainStartsAfresh() {
        long first = create("a", "1");
        delete("a", put("a", "2", first));
        assertThat(store().put(key("a"), KvContext.bytes("x"), first, 0).succeeded())
                .isFalse();
        long again = create("a", "3");
        KeyValue kv = store().get(key("a")).kv();
        assertThat(kv.version()).isEqualTo(1);
        assertThat(kv.createRevision()).isEqualTo(again);
    }

    @Test
    default void valuesKeepEveryByte() {
        byte[] value = new byte[512];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }
        store().put(key("bytes"), value, 0, 0);
        store().put(key("empty"), new byte[0], 0, 0);
        assertThat(store().get(key("bytes")).kv().value()).isEqualTo(value);
        assertThat(store().get(key("empty")).kv().value()).isEmpty();
        RecordingWatchSink sink = watchAll(store().get(key("bytes")).kv().modRevision());
        List<KvEvent> events = sink.awaitEvents(2);
        assertThat(events.get(0).value()).isEqualTo(value);
        assertThat(events.get(1).value()).isNotNull().isEmpty();
        assertThat(events.get(1).deleted()).isFalse();
    }

    @Test
    default void aMegabyteIsKept() {
        byte[] value = new byte[1 << 20];
        new Random(1).nextBytes(value);
        long revision = store().put(key("large"), value, 0, 0).revision();
        assertThat(store().get(key("large")).kv().value()).isEqualTo(value);
        assertThat(watchAll(revision).awaitEvents(1).getFirst().value()).isEqualTo(value);
    }

    @Test
    default void ofConcurrentCreatesOneWins() throws Exception {
        List<KvStore.WriteResult> results =
                concurrently(16, i -> List.of(store().put(key("one"), KvContext.bytes("" + i), 0, 0)));
        List<KvStore.WriteResult> won =
                results.stream().filter(KvStore.WriteResult::succeeded).toList();
        assertThat(won).hasSize(1);
        KeyValue kv = store().get(key("one")).kv();
        assertThat(kv.modRevision()).isEqualTo(won.getFirst().revision());
        assertThat(results)
                .filteredOn(r -> !r.succeeded())
                .allSatisfy(r -> assertThat(r.current().modRevision()).isEqualTo(kv.modRevision()));
    }

    @Test
    default void concurrentIncrementsLoseNone() throws Exception {
        create("counter", "0");
        concurrently(8, i -> {
            for (int n = 0; n < 10; n++) {
                boolean done = false;
                while (!done) {
                    KeyValue kv = store().get(key("counter")).kv();
                    int next = Integer.parseInt(KvContext.text(kv.value())) + 1;
                    done = store().put(key("counter"), KvContext.bytes("" + next), kv.modRevision(), 0)
                            .succeeded();
                }
            }
            return List.of();
        });
        KeyValue kv = store().get(key("counter")).kv();
        assertThat(KvContext.text(kv.value())).isEqualTo("80");
        assertThat(kv.version()).isEqualTo(81);
    }

    /** What one of several writers does. */
    interface Writer<T> {
        List<T> write(int number) throws Exception;
    }

    /** Runs writers side by side and returns what all of them returned. */
    static <T> List<T> concurrently(int writers, Writer<T> writer) throws Exception {
        List<T> results = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<T>>> running = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int number = i;
                running.add(threads.submit(() -> writer.write(number)));
            }
            for (Future<List<T>> one : running) {
                results.addAll(one.get());
            }
        }
        return results;
    }
}
