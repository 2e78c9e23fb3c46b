package io.keelson.cacher;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a Cacher in step with storage: lists, then watches, and begins anew when the watch ends. Runs on a thread of its
 * own, a virtual one, which waits while the watch brings changes on the store's thread. The target is called by one
 * thread at a time: by the list before a watch begins, or by that watch.
 */
final class Reflector implements AutoCloseable {
    /** What a reflector fills. */
    interface Target {
        /** Lists and takes the list in; returns the revision to watch from. */
        long relist(ListerWatcher source);

        ListerWatcher.Sink sink();

        /** Whether the target waits to hear that it has caught up with storage. */
        boolean awaitsProgress();

        /** The resource cannot be followed at the moment. */
        void onFailure(StorageException error);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final Duration PROGRESS_PERIOD = Duration.ofMillis(100);

    /** How long it sleeps while there is nothing to ask for; its end wakes it. */
    private static final Duration LONG_WAIT = Duration.ofHours(1);

    private final String resource;
    private final ListerWatcher source;
    private final Target target;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    @GuardedBy("lock")
    private @Nullable StorageException endReason;

    private volatile boolean closed;
    private volatile ListerWatcher.@Nullable Subscription running;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    Reflector(String resource, ListerWatcher source, Target target, Backoff backoff) {
        this.resource = resource;
        this.source = source;
        this.target = target;
        this.backoff = backoff;
    }

    void start() {
        thread.set(Thread.ofVirtual().name("reflector-" + resource).start(this::run));
    }

    private void run() {
        while (!closed) {
            Duration held = Duration.ZERO;
            try {
                setEndReason(null);
                long revision = target.relist(source);
                long began = System.nanoTime();
                StorageException reason = watchUntilEnd(revision);
                held = Duration.ofNanos(System.nanoTime() - began);
                target.onFailure(reason);
                LOG.info("Watch of {} ended and begins anew: {}", resource, reason.getMessage());
            } catch (StorageException e) {
                target.onFailure(e);
                LOG.debug("List of {} failed: {}", resource, e.getMessage());
            } catch (RuntimeException e) {
                target.onFailure(new StorageException.Internal("the list cannot be taken in: " + e.getMessage(), e));
                LOG.error("List of {} could not be taken in", resource, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            try {
                Thread.sleep(backoff.afterEnd(held));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private StorageException watchUntilEnd(long revision) throws InterruptedException {
        var sink = new EndingSink(target.sink());
        ListerWatcher.Subscription subscription = source.watch(revision, sink);
        running = subscription;
        try {
            StorageException reason = null;
            while (reason == null) {
                boolean ask = target.awaitsProgress();
                if (ask) {
                    subscription.requestProgress();
                }
                reason = awaitEnd(ask ? PROGRESS_PERIOD : LONG_WAIT);
            }
            return reason;
        } finally {
            running = null;
            sink.stop();
            subscription.close();
        }
    }

    /** Ends the running watch, if any, so that the target is filled anew. */
    void listAgain(String why) {
        setEndReason(new StorageException.Internal(why, null));
    }

    /** Asks that the running watch, if any, be told how far it is. Returns at once. */
    void requestProgress() {
        ListerWatcher.Subscription watch = running;
        if (watch != null) {
            watch.requestProgress();
        }
    }

    private @Nullable StorageException awaitEnd(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (endReason == null && left > 0) {
                left = ended.awaitNanos(left);
            }
            return endReason;
        } finally {
            lock.unlock();
        }
    }

    private void setEndReason(@Nullable StorageException reason) {
        lock.lock();
        try {
            endReason = reason;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands on to the target until it is stopped, and wakes the reflector at the end. */
    private final class EndingSink implements ListerWatcher.Sink {
        private final ListerWatcher.Sink to;

        /** Held by who has the target, so that the reflector, when it stops this, waits for a call that is under way. */
        private final ReentrantLock turn = new ReentrantLock();

        @GuardedBy("turn")
        private boolean stopped;

        EndingSink(ListerWatcher.Sink to) {
            this.to = to;
        }

        private void handOn(Runnable call) {
            turn.lock();
            try {
                if (!stopped) {
                    call.run();
                }
            } finally {
                turn.unlock();
            }
        }

        void stop() {
            turn.lock();
            try {
                stopped = true;
            } finally {
                turn.unlock();
            }
        }

        @Override
        public void onChanges(List<ListerWatcher.Change> changes) {
            handOn(() -> to.onChanges(changes));
        }

        @Override
        public void onProgress(long revision) {
            handOn(() -> to.onProgress(revision));
        }

        @Override
        public void onError(StorageException error) {
            handOn(() -> {
                to.onError(error);
                setEndReason(error);
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread mine = thread.get();
        if (mine != null) {
            mine.interrupt();
        }
    }
}
