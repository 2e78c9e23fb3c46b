package io.keelson.storage.kv;

import io.keelson.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the store's history between one and two intervals long. All servers of a store run one; a write to
 * {@code compact_rev_key}, conditional on nobody else having written since the last round, elects the one that compacts
 * in a round. It compacts to the revision of its round before, so every revision stays readable for an interval.
 */
public final class Compactor implements AutoCloseable {
    static final String KEY = "compact_rev_key";
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

    private final KvStore store;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("compactor").factory());
    private long lastSeenModRevision;
    private long revisionOfLastRound;

    /** @param interval how long a revision stays readable at least; zero never compacts */
    public Compactor(KvStore store, Duration interval) {
        this.store = store;
        if (!interval.isZero()) {
            var _ = timer.scheduleWithFixedDelay(
                    this::roundReported, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void roundReported() {
        try {
            round();
        } catch (StorageException e) {
            LOG.warn("Compaction is put off to the next round: {}", e.getMessage());
        }
    }

    /** One round; returns the revision that it compacted to, 0 where another server did or it was the first. */
    long round() {
        byte[] target = Long.toString(revisionOfLastRound).getBytes(StandardCharsets.US_ASCII);
        KvStore.WriteResult write = store.put(KEY, target, lastSeenModRevision, 0);
        if (!write.succeeded()) {
            KeyValue current = write.current();
            lastSeenModRevision = current == null ? 0 : current.modRevision();
            revisionOfLastRound = write.revision();
            return 0;
        }
        long compactTo = revisionOfLastRound;
        lastSeenModRevision = write.revision();
        revisionOfLastRound = write.revision();
        if (compactTo > 0) {
            store.compact(compactTo);
            LOG.debug("Compacted to revision {}", compactTo);
        }
        return compactTo;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
