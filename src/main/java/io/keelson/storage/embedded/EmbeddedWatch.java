package io.keelson.storage.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch and the virtual thread that calls its sink.
 *
 * <pre>
 *   lagging: everything below `next` was queued or delivered; [next, published] is read from the history
 *   live:    everything up to `published` was queued or delivered; commits are queued as they come
 *
 *   lagging --(next > published)--> live --(queue full)--> lagging
 * </pre>
 *
 * <p>So a slow sink costs a short queue and then only a position, and no event is lost or given twice. The committer
 * takes the lock only to queue; the sink is called and the history read without it.
 */
final class EmbeddedWatch implements KvWatch, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedWatch.class);
    private static final int MAX_QUEUED = 1_000;
    private static final long MAX_QUEUED_BYTES = 8L << 20;

    /** The keys {@code start <= key < end}. */
    record Scope(String start, String end) {
        // Keys are compared as the database does it, by UTF-8 bytes; that differs from String's order only where one
        // has
        // a surrogate, so the quick comparison decides where it can.
        boolean contains(String key) {
            return compare(start, key) <= 0 && compare(key, end) < 0;
        }

        private static int compare(String a, String b) {
            int length = Math.min(a.length(), b.length());
            for (int i = 0; i < length; i++) {
                char x = a.charAt(i);
                char y = b.charAt(i);
                if (x != y) {
                    return Character.isSurrogate(x) == Character.isSurrogate(y)
                            ? Character.compare(x, y)
                            : Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y));
                }
            }
            return Integer.compare(a.length(), b.length());
        }
    }

    /** What the thread does next. */
    private sealed interface Step {
        record Deliver(List<KvEvent> events) implements Step {}

        record CatchUp(long from, long to) implements Step {}

        record Progress(long revision) implements Step {}

        record End(@Nullable StorageException error) implements Step {}
    }

    private final WatchHub hub;
    private final WatchHub.WatchHistory history;
    private final Scope scope;
    private final KvWatchSink sink;
    private final long startRevision;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private List<KvEvent> queue = new ArrayList<>();

    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private boolean lagging;

    @GuardedBy("lock")
    private long next;

    @GuardedBy("lock")
    private long published;

    /** The revision that progress was asked for, 0 where it was not. */
    @GuardedBy("lock")
    private long wantedProgress;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable StorageException failure;

    EmbeddedWatch(
            WatchHub hub,
            WatchHub.WatchHistory history,
            Scope scope,
            KvWatchSink sink,
            long startRevision,
            long published) {
        this.hub = hub;
        this.history = history;
        this.scope = scope;
        this.sink = sink;
        this.startRevision = startRevision;
        this.published = published;
        this.lagging = startRevision <= published;
        this.next = startRevision;
    }

    /** Takes a commit's events. Called in order of revision. */
    void offer(List<KvEvent> events, long revision) {
        lock.lock();
        try {
            published = revision;
            boolean wake = wantedProgress > 0;
            for (int i = 0; i < events.size() && !lagging; i++) {
                KvEvent event = events.get(i);
                if (event.revision() >= startRevision && scope.contains(event.key())) {
                    queueOrLag(event);
                    wake = true;
                }
            }
            if (wake) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void queueOrLag(KvEvent event) {
        if (queue.size() >= MAX_QUEUED || queuedBytes >= MAX_QUEUED_BYTES) {
            lagging = true;
            next = event.revision();
        } else {
            queue.add(event);
            queuedBytes += ReadSession.sizeOf(event);
        }
    }

    @Override
    public void requestProgress() {
        wantProgress(hub.revision());
    }

    void wantProgress(long revision) {
        lock.lock();
        try {
            wantedProgress = Math.max(wantedProgress, revision);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void fail(StorageException error) {
        lock.lock();
        try {
            failure = error;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        hub.remove(this);
    }

    @Override
    public void run() {
        try {
            while (perform(nextStep())) {}
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("A watch of {} ended because its sink failed", scope, e);
        } finally {
            hub.remove(this);
        }
    }

    private boolean perform(Step step) {
        switch (step) {
            case Step.Deliver(List<KvEvent> events) -> sink.onEvents(events);
            case Step.CatchUp(long from, long to) -> catchUp(from, to);
            case Step.Progress(long revision) -> sink.onProgress(revision);
            case Step.End(StorageException error) -> {
                if (error != null) {
                    sink.onError(error);
                }
                return false;
            }
        }
        return true;
    }

    private void catchUp(long from, long to) {
        ReadSession.EventPage page;
        try {
            page = history.read(scope, from, to);
        } catch (StorageException.Timeout e) {
            LOG.debug("A watch of {} reads its history again: {}", scope, e.getMessage());
            return;
        } catch (StorageException e) {
            fail(e);
            return;
        }
        if (!page.events().isEmpty() && !isClosed()) {
            sink.onEvents(page.events());
        }
        lock.lock();
        try {
            next = page.next();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private Step nextStep() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                Step step = closed ? new Step.End(null) : stepOrNull();
                if (step != null) {
                    return step;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Step stepOrNull() {
        if (!queue.isEmpty()) {
            List<KvEvent> events = queue;
            queue = new ArrayList<>();
            queuedBytes = 0;
            return new Step.Deliver(events);
        }
        if (failure != null) {
            return new Step.End(failure);
        }
        if (lagging && next <= published) {
            return new Step.CatchUp(next, published);
        }
        lagging = false;
        if (wantedProgress > 0 && wantedProgress <= published) {
            wantedProgress = 0;
            return new Step.Progress(published);
        }
        return null;
    }
}
