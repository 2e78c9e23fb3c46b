package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.storage.Storage;
import io.keelson.storage.kv.KvStorage;
import io.keelson.storage.kv.KvStorageContract;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of every Storage for the one that answers from the watch cache. */
public abstract class CachedStorageContract extends KvStorageContract {
    private static final long TICK_MILLIS = 20;

    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private Cacher cacher;

    @Override
    protected final Storage openStorage(String resourcePrefix, Duration freshness) {
        KvStorage underlying = kvStorage(resourcePrefix);
        CacherOptions defaults = CacherOptions.DEFAULT;
        var opened = new Cacher(
                resourcePrefix,
                underlying,
                new CacherOptions(
                        defaults.historySize(),
                        defaults.maxHistorySize(),
                        defaults.freshDuration(),
                        freshness,
                        Duration.ZERO,
                        defaults.replayRevisions(),
                        Duration.ZERO));
        opened.start();
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(opened::ready);
        if (cacher == null) {
            cacher = opened;
        }
        return new CacheDelegator(underlying, opened, underlying::supportsProgress);
    }

    @Override
    public final boolean cached() {
        return true;
    }

    @Override
    public final void requestBookmarks() {
        cacher.tick();
    }

    @BeforeEach
    final void startTicking() {
        var _ = ticker.scheduleWithFixedDelay(cacher::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    final void stopTicking() {
        ticker.shutdownNow();
    }

    /** Whatever a test has done, the cache must show what storage has. */
    @AfterEach
    final void compareWithStorage() {
        assertThat(cacher.checkConsistency()).isNotEqualTo(ConsistencyChecker.Outcome.FAILURE);
    }
}
