package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.cacher.ConsistencyChecker.Outcome;
import io.keelson.storage.Concurrently;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import io.keelson.storage.WatchReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CacherTest {
    private static final String PREFIX = TestingListerWatcher.PREFIX;
    private static final int WINDOW = 8;
    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final int WAITING_READS = 32;
    private static final StorageException BROKEN = new StorageException.Unreachable("the store is away", null);

    private final TestingListerWatcher source = new TestingListerWatcher(1);
    private final Cacher cacher = new Cacher(
            PREFIX,
            source,
            new CacherOptions(WINDOW, WINDOW, Duration.ofSeconds(75), TIMEOUT, Duration.ZERO, 1000, Duration.ZERO));

    @AfterEach
    void close() {
        cacher.close();
    }

    private void start() throws InterruptedException {
        cacher.start();
        source.awaitWatches(1);
        Awaitility.await().pollDelay(Duration.ZERO).until(cacher::ready);
    }

    private WatchReader watch(ListOptions options) {
        return new WatchReader(cacher.watch(PREFIX, options));
    }

    @Test
    void changesOfOneRevisionBecomeVisibleTogether() throws Exception {
        long before = source.put("ns/a", "1");
        source.put("ns/b", "1");
        start();
        Watch watch = cacher.watch(PREFIX, StorageContext.after(before + 1).withAllowBookmarks(true));
        List<Integer> sizes = new ArrayList<>();
        List<String> events = new ArrayList<>();
        var asking = new AtomicBoolean();
        watch.onReady(() -> {
            if (asking.getAndSet(true)) {
                return;
            }
            // A bookmark that is asked for in the middle of a revision must not tell that revision.
            cacher.tick();
            asking.set(false);
            sizes.add(cacher.cache().state().objects().size());
            for (WatchEvent event = watch.poll(); event != null; event = watch.poll()) {
                events.add(WatchReader.describe(event));
            }
        });
        sizes.clear();
        events.clear();
        long gone = source.delete("ns/a", "ns/b");
        assertThat(sizes).isNotEmpty().containsOnly(0);
        cacher.tick();
        assertThat(events)
                .filteredOn(event -> !event.equals("BOOKMARK @" + (gone - 1)))
                .startsWith("DELETED ns/a=1 @" + gone, "DELETED ns/b=1 @" + gone, "BOOKMARK @" + gone);
        assertThat(cacher.cache().stateAt(gone).objects().size()).isZero();
        assertThat(cacher.cache().stateAt(gone - 1).objects().size()).isEqualTo(2);
        assertThat(cacher.watch(PREFIX, StorageContext.after(gone)).poll()).isNull();
        assertThat(watch(StorageContext.after(gone - 1)).take(2)).allMatch(text -> text.startsWith("DELETED"));
    }

    @Test
    void watchersGoOnAfterABreak() throws Exception {
        source.put("ns/kept", "1");
        source.put("ns/changed", "1");
        source.put("ns/again", "first", "front", "1");
        long before = source.put("ns/gone", "1");
        start();
        WatchReader watch = watch(StorageContext.after(before));
        source.endWatch(new StorageException.Expired("compacted"));
        source.delete("ns/gone");
        source.put("ns/brief", "1");
        source.delete("ns/brief");
        source.put("ns/changed", "2");
        long changed = source.put("ns/changed", "3");
        source.delete("ns/again");
        source.writeElsewhere();
        long again = source.put("ns/again", "second", "front", "2");
        long last = source.put("ns/new", "1");
        source.compact();
        source.awaitWatches(2);
        assertThat(watch.take(5))
                .containsExactly(
                        "MODIFIED ns/changed=3 @" + changed,
                        "DELETED ns/again=1 @" + (again - 1),
                        "ADDED ns/again=2 @" + again,
                        "DELETED ns/gone=1 @" + last,
                        "ADDED ns/new=1 @" + last);
        long next = source.put("ns/kept", "2");
        assertThat(watch.take(1)).containsExactly("MODIFIED ns/kept=2 @" + next);
        assertThat(cacher.status().failure()).isEmpty();
        assertThat(cacher.status().relists()).isEqualTo(2);
    }

    @Test
    void nothingBeginsWhereABreakLeftAGap() throws Exception {
        long before = source.put("ns/a", "1");
        start();
        source.endWatch(new StorageException.Expired("compacted"));
        long brief = source.put("ns/brief", "1");
        source.delete("ns/brief");
        long last = source.put("ns/a", "2");
        source.awaitWatches(2);
        // A client that saw the brief object elsewhere would never hear of its deletion.
        assertExpired(watch(StorageContext.after(brief)));
        assertThat(cacher.cache().stateAt(brief)).isNull();
        assertThat(watch(StorageContext.after(before)).take(1)).containsExactly("MODIFIED ns/a=2 @" + last);
        assertThat(cacher.cache().stateAt(before).revision()).isEqualTo(before);
        long next = source.put("ns/a", "3");
        assertThat(watch(StorageContext.after(last)).take(1)).containsExactly("MODIFIED ns/a=3 @" + next);
    }

    @Test
    void aSecondGapEndsTheWindowBeforeTheFirst() throws Exception {
        long before = source.put("ns/a", "1");
        start();
        List<Long> ends = new ArrayList<>();
        for (int i = 2; i <= 3; i++) {
            source.endWatch(new StorageException.Expired("compacted"));
            source.writeElsewhere();
            ends.add(source.put("ns/a", "v" + i));
            source.awaitWatches(i);
        }
        assertExpired(watch(StorageContext.after(before)));
        assertExpired(watch(StorageContext.after(ends.getFirst() - 1)));
        assertThat(watch(StorageContext.after(ends.getFirst())).take(1))
                .containsExactly("MODIFIED ns/a=v3 @" + ends.getLast());
    }

    @Test
    void aWatchThatWaitsForARevisionInAGapIsExpired() throws Exception {
        long before = source.put("ns/a", "1");
        start();
        WatchReader inGap = watch(StorageContext.after(before + 1));
        WatchReader atEnd = watch(StorageContext.after(before + 3));
        source.endWatch(new StorageException.Expired("compacted"));
        source.put("ns/a", "2");
        source.put("ns/a", "3");
        source.put("ns/a", "4");
        source.awaitWatches(2);
        assertExpired(inGap);
        long next = source.put("ns/a", "5");
        assertThat(atEnd.take(1)).containsExactly("MODIFIED ns/a=5 @" + next);
    }

    private static void assertExpired(WatchReader watch) {
        WatchEvent event = watch.next();
        assertThat(event.type()).isEqualTo(WatchEventType.ERROR);
        assertThat(WatchReader.describe(event)).contains("\"code\":410").contains("Expired");
        watch.awaitEnd();
    }

    @Test
    void itRecoversFromAFailure() throws Exception {
        source.failList(BROKEN);
        source.failList(BROKEN);
        long first = source.put("ns/a", "1");
        start();
        WatchReader watch = watch(StorageContext.after(first));
        source.failList(BROKEN);
        source.hold();
        source.endWatch(BROKEN);
        assertThat(cacher.status().failure()).contains("away");
        assertThat(cacher.ready()).isTrue();
        assertThat(cacher.cached(TestingListerWatcher.key("ns/a"))).isNotNull();
        long second = source.put("ns/a", "2");
        source.awaitWatches(2);
        source.letGo();
        assertThat(watch.take(1)).containsExactly("MODIFIED ns/a=2 @" + second);
        Awaitility.await().until(() -> cacher.status().failure().isEmpty());
    }

    @Test
    void itBeginsInThePastSoThatEarlierWatchesGoOn() throws Exception {
        long first = source.put("ns/a", "1");
        long second = source.put("ns/a", "2");
        long third = source.put("ns/b", "1");
        start();
        assertThat(watch(StorageContext.after(first)).take(2))
                .containsExactly("MODIFIED ns/a=2 @" + second, "ADDED ns/b=1 @" + third);
        assertThat(cacher.cache().stateAt(first).objects().size()).isEqualTo(1);
    }

    @Test
    void aBreakWhileItFillsRepeatsNoEvent() throws Exception {
        long first = source.put("ns/a", "1");
        source.put("ns/a", "2");
        source.writeElsewhere();
        source.hold();
        cacher.start();
        source.awaitWatches(1);
        source.letGo();
        source.endWatch(BROKEN);
        long third = source.put("ns/a", "3");
        source.awaitWatches(2);
        Awaitility.await().until(cacher::ready);
        assertThat(watch(StorageContext.after(first)).take(2))
                .containsExactly("MODIFIED ns/a=2 @" + (first + 1), "MODIFIED ns/a=3 @" + third);
        assertThat(cacher.status().events()).isEqualTo(3);
    }

    @Test
    void aReaderThatTheWindowHasPassedIsExpiredAndOthersAreNot() throws Exception {
        long first = source.put("ns/a", "0");
        start();
        WatchReader slow = watch(StorageContext.after(first));
        WatchReader quick = watch(StorageContext.after(first));
        assertThat(quick.poll()).isNull();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 2 * WINDOW; i++) {
            expected.add("MODIFIED ns/a=v" + i + " @" + source.put("ns/a", "v" + i));
        }
        assertThat(quick.take(2 * WINDOW)).isEqualTo(expected);
        assertExpired(slow);
        assertExpired(watch(StorageContext.after(first)));
    }

    @Test
    void aReadOfARevisionAsksForProgressAndIsNeverAnsweredFromLess() throws Exception {
        source.put("ns/a", "1");
        start();
        long elsewhere = source.writeElsewhere();
        assertThat(cacher.cache().state().revision()).isLessThan(elsewhere);
        assertThat(cacher.awaitFresh(elsewhere).revision()).isEqualTo(elsewhere);
        source.hold();
        long unseen = source.writeElsewhere();
        assertThatThrownBy(() -> cacher.awaitFresh(unseen))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
        assertThatThrownBy(cacher::mostRecent).isInstanceOf(StorageException.TooLargeResourceVersion.class);
        source.letGo();
        assertThat(cacher.awaitFresh(unseen).revision()).isEqualTo(unseen);
        assertThat(cacher.mostRecent().revision()).isEqualTo(unseen);
        ReadCounts reads = cacher.status().reads();
        assertThat(reads.consistent()).isEqualTo(1);
        assertThat(reads.fallbacks()).isEqualTo(1);
        assertThat(reads.waits()).isEqualTo(4);
        assertThat(reads.waited(TimeUnit.MILLISECONDS)).isGreaterThan(2 * TIMEOUT.toMillis());
    }

    @Test
    void readsThatWaitTogetherShareARequestForProgress() throws Exception {
        start();
        source.hold();
        long elsewhere = source.writeElsewhere();
        int before = source.progressRequests();
        List<Long> revisions = Concurrently.run(WAITING_READS + 1, reader -> {
            if (reader < WAITING_READS) {
                return cacher.awaitFresh(elsewhere).revision();
            }
            Awaitility.await().pollDelay(Duration.ZERO).until(() -> source.progressRequests() > before);
            source.letGo();
            return elsewhere;
        });
        assertThat(revisions).containsOnly(elsewhere);
        // One, and as a held source gives no answer, one more each period at most.
        assertThat(source.progressRequests() - before).isLessThan(WAITING_READS / 2);
    }

    @Test
    void aLostEventIsFoundToldAndMended() throws Exception {
        long before = source.put("ns/a", "1");
        start();
        WatchReader misled = watch(StorageContext.after(before));
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.SUCCESS);
        long lost = source.putUnseen("ns/a", "2");
        source.writeElsewhere();
        // As long as the cache does not claim to have come so far, it is right.
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.SUCCESS);
        source.requestProgress();
        assertThat(cacher.cached(TestingListerWatcher.key("ns/a")).resourceVersion())
                .isEqualTo(before);
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.FAILURE);
        ConsistencyResults found = cacher.status().consistency();
        assertThat(found.failures()).isEqualTo(1);
        assertThat(found.difference()).contains("differs from storage at revision " + (lost + 1));
        source.awaitWatches(2);
        assertExpired(misled);
        assertExpired(watch(StorageContext.after(before)));
        assertThat(cacher.cached(TestingListerWatcher.key("ns/a")).resourceVersion())
                .isEqualTo(lost);
        assertThat(cacher.cache().stateAt(before)).isNull();
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.SUCCESS);
        assertThat(cacher.status().consistency()).isEqualTo(new ConsistencyResults(3, 1, 0, ""));
        long next = source.put("ns/a", "3");
        assertThat(watch(StorageContext.after(lost + 1)).take(1)).containsExactly("MODIFIED ns/a=3 @" + next);
    }

    @Test
    void aRelistThatShowsALostEventMendsToo() throws Exception {
        long before = source.put("ns/a", "1");
        start();
        WatchReader misled = watch(StorageContext.after(before));
        long lost = source.putUnseen("ns/a", "2");
        source.writeElsewhere();
        source.requestProgress();
        source.endWatch(BROKEN);
        source.writeElsewhere();
        source.awaitWatches(2);
        assertExpired(misled);
        assertThat(cacher.cached(TestingListerWatcher.key("ns/a")).resourceVersion())
                .isEqualTo(lost);
    }

    @Test
    void whatCannotBeComparedIsNoDifference() throws Exception {
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.SKIPPED);
        source.put("ns/a", "1");
        start();
        source.failList(new StorageException.Expired("compacted"));
        assertThat(cacher.checkConsistency()).isEqualTo(Outcome.ERROR);
        assertThat(cacher.status().consistency()).isEqualTo(new ConsistencyResults(0, 0, 1, ""));
    }

    @Test
    void itKnowsHowFarBehindItIs() throws Exception {
        source.put("ns/a", "1");
        start();
        long began = System.nanoTime();
        cacher.storageAt(source.currentRevision(), began);
        assertThat(cacher.status().revisionsBehind()).isZero();
        assertThat(cacher.status().secondsSinceCurrent()).isLessThanOrEqualTo((System.nanoTime() - began) / 1e9);
        source.hold();
        source.put("ns/a", "2");
        long last = source.writeElsewhere();
        long later = System.nanoTime();
        cacher.storageAt(last, later);
        assertThat(cacher.status().revisionsBehind()).isEqualTo(2);
        double lag = cacher.status().secondsSinceCurrent();
        assertThat(lag).isGreaterThanOrEqualTo((later - began) / 1e9);
        source.letGo();
        source.requestProgress();
        assertThat(cacher.status().revisionsBehind()).isZero();
        assertThat(cacher.status().secondsSinceCurrent()).isLessThanOrEqualTo((System.nanoTime() - later) / 1e9);
    }

    @Test
    void whoFindsItNotReadyComesBackTheLaterTheLongerThatLasts() {
        assertThat(Cacher.retryAfterSeconds(0)).isEqualTo(1);
        assertThat(Cacher.retryAfterSeconds(20)).isEqualTo(3);
        assertThat(Cacher.retryAfterSeconds(3600)).isEqualTo(30);
    }

    @Test
    void watchersHaveIdsFromZeroAndAreForgottenWhenClosed() throws Exception {
        start();
        CacheWatcher first = (CacheWatcher) cacher.watch(PREFIX, ListOptions.LATEST);
        CacheWatcher second = (CacheWatcher) cacher.watch(PREFIX + "ns/", ListOptions.LATEST.withAllowBookmarks(true));
        assertThat(first.id()).isZero();
        assertThat(second.id()).isEqualTo(1);
        assertThat(cacher.status().watchers()).isEqualTo(2);
        first.close();
        second.close();
        second.close();
        assertThat(cacher.status().watchers()).isZero();
    }

    @Test
    void closingEndsItsWatches() throws Exception {
        long revision = source.put("ns/a", "1");
        start();
        WatchReader open = watch(StorageContext.after(revision));
        assertThat(open.poll()).isNull();
        cacher.close();
        open.awaitEnd();
        assertThat(cacher.watch(PREFIX, StorageContext.after(revision)).ended()).isTrue();
    }
}
