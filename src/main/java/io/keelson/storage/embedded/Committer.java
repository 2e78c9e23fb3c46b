package io.keelson.storage.embedded;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. It puts all writes that wait into one transaction, syncs it, announces its events, and
 * only then lets the writers go; meanwhile the next ones gather. So one sync serves as many writes as there are writers.
 *
 * <p>The first failure of the disk is the last write: after a failed sync nobody can know what the disk holds, so every
 * later write is refused until the store is opened again. What was acknowledged was durable before.
 */
final class Committer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final String CLOSED = "the embedded store is closed";
    private static final int MAX_WAITING = 10_000;
    private static final int MAX_BATCH = 1_000;
    private static final long QUEUE_SECONDS = 10;
    private static final long COMMIT_SECONDS = 60;

    /** A change, made in the committer's thread. */
    @FunctionalInterface
    interface Change<T> {
        T apply(WriteSession session) throws SQLException;
    }

    /** Hears of every commit, in order, before the writers do. */
    @FunctionalInterface
    interface Announcer {
        void committed(List<KvEvent> events, long revision);
    }

    private final WriteSession session;
    private final @Nullable ReadSessions shared;
    private final Announcer announcer;
    private final BlockingQueue<Waiting<?>> queue = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicLong commits = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable String failure;
    private volatile boolean closing;

    /** @param shared where reads use the writer's connection: what to take it from for each batch */
    Committer(WriteSession session, @Nullable ReadSessions shared, Announcer announcer) {
        this.session = session;
        this.shared = shared;
        this.announcer = announcer;
        thread = Thread.ofPlatform().daemon().name("embedded-committer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Why no write is taken any more, null while they are. */
    @Nullable
    String refusal() {
        String reason = failure;
        return reason == null && closing ? CLOSED : reason;
    }

    /** How many transactions were committed. */
    long commits() {
        return commits.get();
    }

    /** How many changes wait for the next transaction. */
    int waiting() {
        return queue.size();
    }

    /**
     * Makes a change and waits until it is durable.
     *
     * @throws StorageException what the change threw, or Unreachable where writing has stopped, or UnknownOutcome
     */
    <T> T commit(Change<T> change) {
        Waiting<T> waiting = new Waiting<>(change);
        try {
            refuseIfStopped();
            if (!queue.offer(waiting, QUEUE_SECONDS, TimeUnit.SECONDS)) {
                throw new StorageException.Unreachable(
                        "the embedded store has " + MAX_WAITING + " writes waiting already", null);
            }
            if (closing && !thread.isAlive() && queue.remove(waiting)) {
                refuseIfStopped();
            }
            return waiting.answer.get(COMMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StorageException cause
                    ? cause
                    : new StorageException.Internal("the embedded store failed", e.getCause());
        } catch (TimeoutException e) {
            throw new StorageException.UnknownOutcome(
                    "the embedded store did not commit within " + COMMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.UnknownOutcome("interrupted while the embedded store commits", e);
        }
    }

    private void refuseIfStopped() {
        String reason = refusal();
        if (reason != null) {
            throw new StorageException.Unreachable(reason, null);
        }
    }

    private void run() {
        List<Waiting<?>> batch = new ArrayList<>();
        try {
            while (!closing || !queue.isEmpty()) {
                batch.add(queue.take());
                queue.drainTo(batch, MAX_BATCH - 1);
                commitBatch(batch);
                batch.clear();
            }
        } catch (InterruptedException e) {
            LOG.error("The embedded store's committer was interrupted, which nothing here does", e);
        }
    }

    private void commitBatch(List<Waiting<?>> batch) {
        String reason = failure;
        if (reason != null) {
            failAll(batch, new StorageException.Unreachable(reason, null));
            return;
        }
        ReadSession borrowed;
        try {
            borrowed = shared == null ? null : shared.take();
        } catch (StorageException e) {
            failAll(batch, new StorageException.Unreachable(String.valueOf(e.getMessage()), e));
            return;
        }
        List<KvEvent> events;
        try {
            events = applyAndCommit(batch);
        } finally {
            if (shared != null && borrowed != null) {
                shared.give(borrowed);
            }
        }
        if (events == null) {
            return;
        }
        try {
            announcer.committed(events, session.revision());
        } finally {
            batch.forEach(Waiting::finish);
        }
    }

    /** Returns the events, null where it failed and the writers know already. */
    private @Nullable List<KvEvent> applyAndCommit(List<Waiting<?>> batch) {
        boolean committing = false;
        try {
            for (Waiting<?> waiting : batch) {
                waiting.apply(session);
            }
            committing = true;
            List<KvEvent> events = session.commit();
            commits.incrementAndGet();
            return events;
        } catch (SQLException | RuntimeException | Error e) {
            String message = stop(e);
            failAll(
                    batch,
                    committing
                            ? new StorageException.UnknownOutcome(message, e)
                            : new StorageException.Unreachable(message, e));
            return null;
        }
    }

    private String stop(Throwable fault) {
        String message =
                "the embedded store stopped writing after a failure; nothing acknowledged is lost; free or mend"
                        + " the disk, then start again: " + fault.getMessage();
        failure = message;
        LOG.error("The embedded store stopped writing; reads go on", fault);
        try {
            session.rollback();
        } catch (SQLException e) {
            LOG.debug("The failed transaction was rolled back already", e);
        }
        return message;
    }

    private static void failAll(List<Waiting<?>> batch, StorageException error) {
        batch.forEach(waiting -> waiting.answer.completeExceptionally(error));
    }

    /** Commits what waits, then ends the thread. */
    @Override
    public void close() {
        closing = true;
        try {
            queue.put(new Waiting<>(_ -> 0)); // wakes the thread
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Waiting<?>> late = new ArrayList<>();
        queue.drainTo(late);
        failAll(late, new StorageException.Unreachable(CLOSED, null));
    }

    /** A change and who waits for it. */
    private static final class Waiting<T> {
        private final Change<T> change;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @Nullable T result;
        private @Nullable StorageException failure;

        Waiting(Change<T> change) {
            this.change = change;
        }

        void apply(WriteSession session) throws SQLException {
            try {
                result = change.apply(session);
            } catch (StorageException e) {
                failure = e;
            }
        }

        @SuppressWarnings("NullAway") // a change may answer null
        void finish() {
            if (failure == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(failure);
            }
        }
    }
}
