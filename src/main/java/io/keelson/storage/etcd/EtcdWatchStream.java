package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.StatusRuntimeException;
import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several watches that share a connection, and the making of the next connection when one breaks.
 *
 * <p>{@link #run} makes connections one after the other, each after the one before has delivered its last answer. So
 * sinks are called by one thread at a time, and a watch's position is settled before the next connection asks for it.
 *
 * <p>A sink that is slow holds up the watches of its stream, and nothing grows meanwhile.
 */
@ThreadSafe
final class EtcdWatchStream implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatchStream.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    private final EtcdEndpoints endpoints;
    private final EtcdVersions versions;
    private final LongConsumer compacted;
    private final Consumer<EtcdWatchStream> ended;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Taken before a connection's lock. */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<EtcdWatch> watches = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable EtcdWatchConnection connection;

    /** Whether the next connection is to ask for progress. */
    @GuardedBy("lock")
    private boolean progressWanted;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param compacted is told of each revision that turns out to be the compacted one
     * @param ended is told when the stream has no watches any more
     */
    EtcdWatchStream(
            EtcdEndpoints endpoints,
            EtcdVersions versions,
            LongConsumer compacted,
            Consumer<EtcdWatchStream> ended,
            EtcdWatch first) {
        this.endpoints = endpoints;
        this.versions = versions;
        this.compacted = compacted;
        this.ended = ended;
        this.watches.add(first);
    }

    /** Takes a watch in, or says that this stream takes none any more. */
    boolean offer(EtcdWatch watch) {
        lock.lock();
        try {
            if (closed || (connection != null && !connection.create(watch))) {
                return false;
            }
            watches.add(watch);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of a closed watch; with the last one the stream ends. */
    void remove(EtcdWatch watch) {
        lock.lock();
        try {
            if (!watches.remove(watch)) {
                return;
            }
            if (connection != null) {
                connection.cancel(watch);
            }
            if (!watches.isEmpty()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        closeIfIdle();
    }

    void requestProgress() {
        lock.lock();
        try {
            progressWanted = connection == null;
            if (connection != null) {
                connection.requestProgress();
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeIfIdle() {
        lock.lock();
        try {
            // A watch may have come in since the last one went.
            if (closed || !watches.isEmpty()) {
                return;
            }
            closeLocked();
        } finally {
            lock.unlock();
        }
        ended.accept(this);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            watches.forEach(EtcdWatch::close);
            watches.clear();
            closeLocked();
        } finally {
            lock.unlock();
        }
        ended.accept(this);
    }

    @GuardedBy("lock")
    private void closeLocked() {
        closed = true;
        if (connection != null) {
            connection.abort("the watches are closed");
        }
        closing.countDown();
    }

    @Override
    public void run() {
        int failures = 0;
        try {
            do {
                EtcdEndpoint endpoint = endpoints.pick();
                boolean confirmed = false;
                String reason;
                try {
                    EtcdWatchConnection next = new EtcdWatchConnection(
                            endpoint, versions.refresh(endpoint).reliableProgress(), compacted, this::fail);
                    reason = serve(next);
                    confirmed = next.confirmed();
                } catch (StatusRuntimeException e) {
                    reason = EtcdErrors.description(e);
                }
                failures = confirmed ? 1 : failures + 1;
                if (closing.getCount() > 0) {
                    endpoints.failed(endpoint);
                    report(endpoint, reason, failures);
                }
            } while (!closing.await(pauseMillis(failures), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the watches on a connection until that ends; says why it did. */
    private String serve(EtcdWatchConnection next) throws InterruptedException {
        next.open();
        lock.lock();
        try {
            if (closed) {
                next.abort("the watches are closed");
            } else {
                connection = next;
                watches.forEach(next::create);
                if (progressWanted) {
                    next.requestProgress();
                }
            }
        } finally {
            lock.unlock();
        }
        String reason = next.awaitEnd();
        lock.lock();
        try {
            connection = null;
            progressWanted = next.progressAwaited();
        } finally {
            lock.unlock();
        }
        return reason;
    }

    private void fail(EtcdWatch watch, StorageException error) {
        watch.fail(error);
        remove(watch);
    }

    private static void report(EtcdEndpoint endpoint, String reason, int failures) {
        if (failures == 1) {
            LOG.warn("The watch stream to etcd {} broke and is made anew: {}", endpoint, reason);
        } else {
            LOG.debug("The watch stream to etcd {} cannot be made: {}", endpoint, reason);
        }
    }

    private static long pauseMillis(int failures) {
        return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 10));
    }
}
