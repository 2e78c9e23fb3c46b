package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of watches. */
public interface KvWatchContract extends KvContext {
    int WRITERS = 16;
    int WRITES_EACH = 50;

    @Test
    default void aWatchFromNowBringsWhatFollows() {
        long now = create("a", "old");
        RecordingWatchSink sink = watchAll(now + 1);
        long a = put("a", "new", now);
        long b = create("b", "1");
        long gone = delete("a", a);
        List<KvEvent> events = sink.awaitEvents(3);
        assertThat(RecordingWatchSink.describe(events, start()))
                .isEqualTo("put a=new was old, put b=1, delete a was new");
        assertThat(events).extracting(KvEvent::revision).containsExactly(a, b, gone);
        assertThat(events.get(2).previous().modRevision()).isEqualTo(a);
        assertThat(events.get(2).previous().createRevision()).isEqualTo(now);
        assertThat(events.get(2).previous().version()).isEqualTo(2);
        assertThat(events.get(2).deleted()).isTrue();
    }

    @Test
    default void aWatchFromThePastBringsTheHistoryFirst() {
        long a = create("a", "1");
        long b = create("b", "1");
        long b2 = put("b", "2", b);
        delete("a", a);
        RecordingWatchSink sink = watchAll(b);
        create("c", "live");
        assertThat(RecordingWatchSink.describe(sink.awaitEvents(4), start()))
                .isEqualTo("put b=1, put b=2 was 1, delete a was 1, put c=live");
        assertThat(sink.events().get(1).revision()).isEqualTo(b2);
    }

    @Test
    default void aWatchFromTheFutureWaitsForItsRevision() {
        long now = store().currentRevision();
        RecordingWatchSink sink = watchAll(now + 3);
        RecordingWatchSink all = watchAll(now + 1);
        create("a", "too early");
        create("b", "too early");
        long c = create("c", "1");
        long d = create("d", "1");
        assertThat(sink.awaitEvents(2)).extracting(KvEvent::revision).containsExactly(c, d);
        assertThat(all.awaitEvents(4)).hasSize(4);
        assertThat(sink.events()).hasSize(2);
    }

    @Test
    default void theHistoryIsWholeOfSmallAndLargeRanges() {
        long small = create("small/a", "1");
        long large = create("large/a", "1");
        for (int i = 0; i < 300; i++) {
            large = put("large/a", "" + i, large);
            small = i % 100 == 0 ? put("small/a", "" + i, small) : small;
        }
        delete("small/a", small);
        var few = new RecordingWatchSink();
        watch(key("small/"), key("small0"), 1, few);
        var many = new RecordingWatchSink();
        watch(key("large/"), key("large0"), 1, many);
        assertThat(RecordingWatchSink.describe(few.awaitEvents(5), start()))
                .isEqualTo("put small/a=1, put small/a=0 was 1, put small/a=100 was 0, put small/a=200 was 100,"
                        + " delete small/a was 200");
        assertThat(many.awaitEvents(301)).extracting(KvEvent::revision).isSorted();
        assertThat(many.events())
                .hasSize(301)
                .last()
                .extracting(KvEvent::revision)
                .isEqualTo(large);

        long before = small;
        assertThat(store().range(key("small/"), key("small0"), before, 10).count())
                .isEqualTo(1);
        assertThat(store().range(key("large/"), key("large0"), before, 10).count())
                .isEqualTo(1);
    }

    @Test
    default void aWatchSeesItsRangeOnly() {
        long now = store().currentRevision();
        var directory = new RecordingWatchSink();
        watch(key("a/"), key("a0"), now + 1, directory);
        var one = new RecordingWatchSink();
        watch(key("a/1"), key("a/1") + "\0", now + 1, one);
        List.of("a", "a-", "a/1", "a/10", "a/2/x", "a0", "ab", "b/1").forEach(name -> create(name, name));
        long last = store().currentRevision();
        directory.awaitEvents(3);
        one.awaitEvents(1);
        settle(directory, last);
        settle(one, last);
        assertThat(directory.events()).extracting(KvEvent::key).containsExactly(key("a/1"), key("a/10"), key("a/2/x"));
        assertThat(one.events()).extracting(KvEvent::key).containsExactly(key("a/1"));
    }

    @Test
    default void progressComesAfterTheEventsUpToIt() {
        assumeTrue(store().supportsProgress(), "this store's progress is not to be relied on");
        long now = store().currentRevision();
        RecordingWatchSink idle = new RecordingWatchSink();
        watch(key("elsewhere/"), key("elsewhere0"), now + 1, idle);
        RecordingWatchSink busy = watchAll(now + 1);
        long a = create("a", "1");
        create("b", "2");
        long last = delete("a", a);
        assertThat(awaitProgress(busy, last)).hasSize(3);
        assertThat(awaitProgress(idle, last)).isEmpty();
    }

    @Test
    default void aClosedWatchBringsNothingMore() {
        long now = store().currentRevision();
        var closed = new RecordingWatchSink();
        KvWatch watch = watch(start(), end(), now + 1, closed);
        RecordingWatchSink open = watchAll(now + 1);
        create("a", "1");
        closed.awaitEvents(1);
        open.awaitEvents(1);
        watch.close();
        watch.close();
        create("b", "2");
        create("c", "3");
        open.awaitEvents(3);
        assertThat(closed.events()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    default void concurrentWritesComeExactlyOnceAndInOrder() throws Exception {
        long before = store().currentRevision();
        RecordingWatchSink live = watchAll(before + 1);
        List<RecordingWatchSink> late = new ArrayList<>();
        List<Long> written = KvWriteContract.concurrently(WRITERS, writer -> {
            List<Long> revisions = new ArrayList<>();
            long last = 0;
            for (int i = 0; i < WRITES_EACH; i++) {
                if (i % 10 == 9) {
                    last = delete("w" + writer, last);
                    revisions.add(last);
                    last = 0;
                } else {
                    last = put("w" + writer, writer + ":" + i, last);
                    revisions.add(last);
                }
                if (writer == 0 && i % 10 == 5) {
                    late.add(watchAll(before + 1));
                }
            }
            return revisions;
        });
        List<Long> expected = written.stream().sorted().toList();
        assertThat(expected).hasSize(WRITERS * WRITES_EACH).doesNotHaveDuplicates();
        List<KvEvent> events = live.awaitEvents(expected.size());
        assertThat(events).extracting(KvEvent::revision).isEqualTo(expected);
        KvEventChains.check(events);
        for (RecordingWatchSink sink : late) {
            List<KvEvent> same = sink.awaitEvents(expected.size());
            assertThat(RecordingWatchSink.describe(same, start()))
                    .isEqualTo(RecordingWatchSink.describe(events, start()));
            assertThat(same).extracting(KvEvent::revision).isEqualTo(expected);
        }
        settle(live, expected.getLast());
        assertThat(live.events()).hasSize(expected.size());
    }

    /** Gives a watch the occasion to bring more than it should: until it tells progress, where the store has any. */
    private void settle(RecordingWatchSink sink, long revision) {
        if (store().supportsProgress()) {
            awaitProgress(sink, revision);
        }
    }

    /** Asks for progress until a watch has told at least a revision. */
    private List<KvEvent> awaitProgress(RecordingWatchSink sink, long revision) {
        store().requestProgress();
        return sink.awaitProgress(revision);
    }
}
