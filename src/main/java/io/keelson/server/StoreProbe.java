package io.keelson.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.StoreStatus;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store answers, by a real read, at most one a second however many ask. Thread-safe; those who ask while a
 * read is under way get the answer before.
 */
final class StoreProbe {
    private static final long MIN_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What the last read found.
     *
     * @param status as of the last success, null before the first
     * @param error why the last read failed, empty where it did not
     * @param lastError the last failure ever, empty where there was none
     */
    record Finding(@Nullable StoreStatus status, String error, String lastError) {}

    private final KvStore store;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Finding finding = new Finding(null, "not asked yet", "");

    @GuardedBy("asking")
    private long askedAt = System.nanoTime() - 2 * MIN_PERIOD_NANOS;

    StoreProbe(KvStore store) {
        this.store = store;
    }

    /** What was found last, without asking. */
    Finding last() {
        return finding;
    }

    Finding look() {
        boolean first = finding.status() == null;
        if (first) {
            asking.lock();
        } else if (!asking.tryLock()) {
            return finding;
        }
        try {
            if (System.nanoTime() - askedAt >= MIN_PERIOD_NANOS) {
                finding = ask();
                askedAt = System.nanoTime();
            }
            return finding;
        } finally {
            asking.unlock();
        }
    }

    private Finding ask() {
        try {
            return new Finding(store.status(), "", finding.lastError());
        } catch (StorageException e) {
            String why = String.valueOf(e.getMessage());
            return new Finding(finding.status(), why, why);
        }
    }
}
