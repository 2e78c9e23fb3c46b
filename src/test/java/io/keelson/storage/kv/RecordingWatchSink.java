package io.keelson.storage.kv;

import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Keeps what a watch brings, and checks what holds for every watch: one caller at a time, revisions in order. */
public final class RecordingWatchSink implements KvWatchSink {
    private final AtomicBoolean called = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All that follows is guarded by the lock; the lambdas below run under it, which no annotation can tell.
    private final List<KvEvent> events = new ArrayList<>();

    private final List<String> faults = new ArrayList<>();

    private long lastRevision;

    private long progress;

    private StorageException error;

    @Override
    public void onEvents(List<KvEvent> batch) {
        record(() -> {
            if (batch.getFirst().revision() <= lastRevision) {
                faults.add("revision " + batch.getFirst().revision() + " came after " + lastRevision);
            }
            for (KvEvent event : batch) {
                if (event.revision() < lastRevision || event.revision() <= progress) {
                    faults.add("revision " + event.revision() + " came after " + lastRevision + " and progress "
                            + progress);
                }
                lastRevision = event.revision();
                events.add(event);
            }
        });
    }

    @Override
    public void onProgress(long revision) {
        record(() -> {
            if (revision < progress || revision < lastRevision) {
                faults.add("progress " + revision + " came after " + progress + " and revision " + lastRevision);
            }
            progress = Math.max(progress, revision);
        });
    }

    @Override
    public void onError(StorageException fault) {
        record(() -> {
            if (error != null) {
                faults.add("a second end: " + fault);
            }
            error = fault;
        });
    }

    private void record(Runnable change) {
        boolean alone = called.compareAndSet(false, true);
        lock.lock();
        try {
            if (!alone) {
                faults.add("called by two threads at a time");
            }
            if (error != null) {
                faults.add("called after the end");
            }
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
            called.set(false);
        }
    }

    /** Waits until so many events have come, and returns all that have. */
    public List<KvEvent> awaitEvents(int count) {
        await(() -> events.size() >= count, count + " events");
        return events();
    }

    /** Waits until the watch has told progress up to a revision, and returns all events that have come. */
    public List<KvEvent> awaitProgress(long revision) {
        await(() -> progress >= revision, "progress " + revision);
        return events();
    }

    public StorageException awaitError() {
        await(() -> error != null, "an error");
        return error;
    }

    /** The last progress that was told, 0 for none. */
    public long progress() {
        lock.lock();
        try {
            return progress;
        } finally {
            lock.unlock();
        }
    }

    public List<KvEvent> events() {
        lock.lock();
        try {
            if (!faults.isEmpty()) {
                throw new AssertionError(String.join("; ", faults));
            }
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    /** The events as short texts, such as {@code "put a=1 @5"}, with keys below a prefix. */
    public static String describe(List<KvEvent> events, String prefix) {
        return events.stream()
                .map(event -> {
                    String key = event.key().substring(prefix.length());
                    byte[] value = event.value();
                    String before = event.previous() == null
                            ? ""
                            : " was " + KvContext.text(event.previous().value());
                    return (value == null ? "delete " + key : "put " + key + "=" + KvContext.text(value)) + before;
                })
                .collect(Collectors.joining(", "));
    }

    private void await(BooleanSupplier condition, String what) {
        long left = KvContext.PATIENCE.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("waited in vain for " + what + "; events " + events + ", progress "
                            + progress + ", error " + error + ", faults " + faults);
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
    }
}
