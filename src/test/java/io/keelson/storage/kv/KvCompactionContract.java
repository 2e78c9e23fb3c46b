package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.StorageException;
import org.junit.jupiter.api.Test;

/** The contract of compaction: the revision itself and all later ones stay whole, those before are refused. */
public interface KvCompactionContract extends KvContext {
    @Test
    default void historyBeforeTheCompactedRevisionIsRefused() {
        long a1 = create("a", "1");
        long a2 = put("a", "2", a1);
        long a3 = put("a", "3", a2);
        store().compact(a2);
        assertThat(store().compactRevision()).isEqualTo(a2);
        assertThatThrownBy(() -> store().range(start(), end(), a1, 10)).isInstanceOf(StorageException.Expired.class);
        assertThat(watchAll(a1).awaitError()).isInstanceOf(StorageException.Expired.class);
        assertThat(valueAt("a", a2)).isEqualTo("2");
        assertThat(valueAt("a", a3)).isEqualTo("3");
        assertThat(KvContext.text(store().get(key("a")).kv().value())).isEqualTo("3");
    }

    @Test
    default void laterWatchesStayWholeWithPreviousStates() {
        long a1 = create("a", "1");
        long a2 = put("a", "2", a1);
        long a3 = put("a", "3", a2);
        delete("a", a3);
        store().compact(a2);
        assertThat(RecordingWatchSink.describe(watchAll(a2 + 1).awaitEvents(2), start()))
                .isEqualTo("put a=3 was 2, delete a was 3");
    }

    @Test
    default void aWatchFromTheCompactedRevisionBringsItsWrite() {
        long a1 = create("a", "1");
        long a2 = put("a", "2", a1);
        put("a", "3", a2);
        store().compact(a2);
        var events = watchAll(a2).awaitEvents(2);
        assertThat(events).extracting(KvEvent::revision).containsExactly(a2, a2 + 1);
        assertThat(KvContext.text(events.getFirst().value())).isEqualTo("2");
    }

    @Test
    default void aDeletionAtTheCompactedRevisionLeavesNoState() {
        long a = create("a", "1");
        long b = create("b", "1");
        long gone = delete("a", a);
        long b2 = put("b", "2", b);
        store().compact(gone);
        KvStore.RangeResult at = store().range(start(), end(), gone, 10);
        assertThat(at.kvs()).extracting(KeyValue::key).containsExactly(key("b"));
        assertThat(at.count()).isEqualTo(1);
        assertThat(store().get(key("a")).kv()).isNull();
        var events = watchAll(gone).awaitEvents(keepsDeletionAtCompactRevision() ? 2 : 1);
        assertThat(events.getLast().revision()).isEqualTo(b2);
        if (keepsDeletionAtCompactRevision()) {
            assertThat(events.getFirst().key()).isEqualTo(key("a"));
            assertThat(events.getFirst().revision()).isEqualTo(gone);
            assertThat(events.getFirst().deleted()).isTrue();
        }
    }

    @Test
    default void aKeyDeletedBeforeTheCompactedRevisionCanBeMadeAgain() {
        long a = create("a", "1");
        delete("a", a);
        long b = create("b", "1");
        store().compact(b);
        long again = create("a", "2");
        assertThat(store().get(key("a")).kv().createRevision()).isEqualTo(again);
        assertThat(valueAt("a", again)).isEqualTo("2");
        assertThat(store().count(start(), end())).isEqualTo(2);
    }

    @Test
    default void compactionToTheLatestRevisionKeepsTheState() {
        long a = create("a", "1");
        long b = create("b", "1");
        long last = delete("b", b);
        store().compact(last);
        assertThat(store().currentRevision()).isEqualTo(last);
        assertThat(store().range(start(), end(), 0, 10).kvs())
                .extracting(KeyValue::modRevision)
                .containsExactly(a);
        assertThat(create("b", "2")).isEqualTo(last + 1);
        store().compact(last + 1);
        assertThat(store().range(start(), end(), 0, 10).count()).isEqualTo(2);
    }

    @Test
    default void compactionNeverGoesBack() {
        long a1 = create("a", "1");
        long a2 = put("a", "2", a1);
        long a3 = put("a", "3", a2);
        store().compact(a3);
        try {
            store().compact(a2);
        } catch (StorageException.Expired expected) {
            // A store may say that this is done already, or take it as done.
        }
        assertThat(store().compactRevision()).isEqualTo(a3);
        assertThatThrownBy(() -> store().range(start(), end(), a2, 10)).isInstanceOf(StorageException.Expired.class);
    }

    @Test
    default void aFutureRevisionCannotBeCompacted() {
        long now = create("a", "1");
        assertThatThrownBy(() -> store().compact(now + 10))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
        assertThat(valueAt("a", now)).isEqualTo("1");
    }

    @Test
    default void aRunningWatchIsNotDisturbed() {
        long now = store().currentRevision();
        RecordingWatchSink sink = watchAll(now + 1);
        long last = create("a", "0");
        for (int i = 1; i < 20; i++) {
            last = put("a", "" + i, last);
            sink.awaitEvents(i + 1);
            store().compact(last);
        }
        assertThat(sink.awaitEvents(20)).hasSize(20);
        KvEventChains.check(sink.events());
    }

    private String valueAt(String name, long revision) {
        KvStore.RangeResult result = store().range(key(name), key(name) + "\0", revision, 1);
        return KvContext.text(result.kvs().getFirst().value());
    }
}
