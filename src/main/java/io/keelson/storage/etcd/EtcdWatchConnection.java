package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.keelson.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC stream of watches, from its opening to its end. gRPC calls {@code onNext}, {@code onError} and
 * {@code onCompleted} one after the other.
 *
 * <p>etcd numbers watches itself and confirms them in the order in which they were asked for; events of a watch come
 * after its confirmation. So the first unconfirmed watch is the one that a confirmation means.
 */
@ThreadSafe
final class EtcdWatchConnection implements ClientResponseObserver<WatchRequest, WatchResponse> {
    /** How many answers of etcd may wait for the sinks; then etcd has to wait. */
    private static final int ANSWERS_AHEAD = 4;
    /** After how long an unanswered request for progress is repeated. */
    private static final long PROGRESS_REPEAT_MILLIS = 100;
    /** The watch id of answers that speak for the whole stream. */
    private static final long ALL_WATCHES = -1;

    private final EtcdEndpoint endpoint;
    private final boolean reliableProgress;
    private final LongConsumer compacted;
    private final BiConsumer<EtcdWatch, StorageException> failed;
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> requests;
    private volatile boolean confirmed;

    /** Held while requests are handed to gRPC, which queues them without I/O; never while a sink is called. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when the stream has ended, and when progress is awaited. */
    private final Condition changed = lock.newCondition();

    /** Why the stream has ended, null while it has not. */
    @GuardedBy("lock")
    private @Nullable String endReason;

    @GuardedBy("lock")
    private final Deque<EtcdWatch> unconfirmed = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Map<Long, EtcdWatch> byId = new HashMap<>();

    @GuardedBy("lock")
    private boolean progressRequested;

    /** Whether no answer has come since progress was last asked for. */
    @GuardedBy("lock")
    private boolean progressAwaited;

    @GuardedBy("lock")
    private boolean aborted;

    /**
     * @param reliableProgress whether the member tells progress rightly; else none is asked for and none is passed on
     * @param compacted is told of each revision that turns out to be the compacted one
     * @param failed takes a watch that ends here, and why
     */
    EtcdWatchConnection(
            EtcdEndpoint endpoint,
            boolean reliableProgress,
            LongConsumer compacted,
            BiConsumer<EtcdWatch, StorageException> failed) {
        this.endpoint = endpoint;
        this.reliableProgress = reliableProgress;
        this.compacted = compacted;
        this.failed = failed;
    }

    void open() {
        WatchGrpc.newStub(endpoint.requiringLeader()).watch(this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
        requests = stream;
        stream.disableAutoRequestWithInitial(ANSWERS_AHEAD);
    }

    private ClientCallStreamObserver<WatchRequest> requests() {
        ClientCallStreamObserver<WatchRequest> stream = requests;
        if (stream == null) {
            throw new IllegalStateException("the stream is not open");
        }
        return stream;
    }

    /** Starts a watch where it stands, or says that progress was asked for and no watch may be added any more. */
    boolean create(EtcdWatch watch) {
        lock.lock();
        try {
            if (progressRequested) {
                return false;
            }
            unconfirmed.add(watch);
            sendLocked(EtcdMessages.watch(watch.start(), watch.end(), watch.next()));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Stops a closed watch; one that is not confirmed yet is stopped then. */
    void cancel(EtcdWatch watch) {
        lock.lock();
        try {
            for (Map.Entry<Long, EtcdWatch> entry : byId.entrySet()) {
                if (entry.getValue() == watch) {
                    cancelLocked(entry.getKey());
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void cancelLocked(long id) {
        byId.remove(id);
        sendLocked(WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
                .build());
    }

    @GuardedBy("lock")
    private void sendLocked(WatchRequest request) {
        if (!aborted) {
            requests().onNext(request);
        }
    }

    /** Asks for progress, again and again until there is an answer. */
    void requestProgress() {
        lock.lock();
        try {
            if (reliableProgress) {
                progressRequested = true;
                progressAwaited = true;
                sendProgressRequestLocked();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends nothing while other requests wait to be sent, so that they do not pile up. */
    @GuardedBy("lock")
    private void sendProgressRequestLocked() {
        if (requests().isReady()) {
            sendLocked(WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
        }
    }

    /** Breaks the stream. What is being delivered is still delivered to its end. */
    void abort(String why) {
        lock.lock();
        try {
            aborted = true;
        } finally {
            lock.unlock();
        }
        requests().cancel(why, null);
    }

    /**
     * Waits until the stream has ended and all its answers are delivered; says why it ended. Repeats requests for progress
     * meanwhile: etcd does not answer them while a watch of the stream is still catching up.
     */
    String awaitEnd() throws InterruptedException {
        lock.lock();
        try {
            while (endReason == null) {
                if (!progressAwaited) {
                    changed.await();
                } else if (!changed.await(PROGRESS_REPEAT_MILLIS, TimeUnit.MILLISECONDS)) {
                    sendProgressRequestLocked();
                }
            }
            return endReason;
        } finally {
            lock.unlock();
        }
    }

    boolean progressAwaited() {
        lock.lock();
        try {
            return progressAwaited;
        } finally {
            lock.unlock();
        }
    }

    /** Whether etcd has confirmed a watch on this stream. */
    boolean confirmed() {
        return confirmed;
    }

    @Override
    public void onNext(WatchResponse response) {
        if (response.getCreated() || response.getCanceled()) {
            onControl(response);
        } else {
            watchesOf(response.getWatchId()).forEach(watch -> deliver(watch, response));
        }
        requests().request(1);
    }

    private List<EtcdWatch> watchesOf(long id) {
        lock.lock();
        try {
            if (id == ALL_WATCHES) {
                progressAwaited = false;
                return List.copyOf(byId.values());
            }
            EtcdWatch watch = byId.get(id);
            return watch == null ? List.of() : List.of(watch);
        } finally {
            lock.unlock();
        }
    }

    private void deliver(EtcdWatch watch, WatchResponse response) {
        try {
            if (response.getEventsCount() > 0) {
                watch.deliver(response.getEventsList());
            } else if (reliableProgress) {
                watch.progress(response.getHeader().getRevision());
            }
        } catch (RuntimeException e) {
            cancel(watch);
            failed.accept(watch, new StorageException.Internal("the taker of watch events failed", e));
        }
    }

    private void onControl(WatchResponse response) {
        EtcdWatch canceled = response.getCreated() ? onCreated(response) : forget(response.getWatchId());
        if (canceled != null && !canceled.closed()) {
            onCanceled(canceled, response);
        }
    }

    /** Notes a confirmation; returns the watch where it is a refusal. */
    private @Nullable EtcdWatch onCreated(WatchResponse response) {
        lock.lock();
        try {
            EtcdWatch created = unconfirmed.remove();
            if (response.getCanceled()) {
                return created;
            }
            confirmed = true;
            byId.put(response.getWatchId(), created);
            if (created.closed()) {
                cancelLocked(response.getWatchId());
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable EtcdWatch forget(long id) {
        lock.lock();
        try {
            return byId.remove(id);
        } finally {
            lock.unlock();
        }
    }

    private void onCanceled(EtcdWatch watch, WatchResponse response) {
        long compactRevision = response.getCompactRevision();
        String cause = response.getCancelReason();
        if (compactRevision > 0) {
            compacted.accept(compactRevision);
            failed.accept(
                    watch,
                    new StorageException.Expired(
                            "etcd: revision " + watch.next() + " is gone, the history starts at " + compactRevision));
        } else if (cause.contains("permission denied")) {
            failed.accept(watch, new StorageException.Unreachable("etcd: " + cause, null));
        } else {
            // Whatever made the member drop the watch, a new stream, perhaps to another member, mends it.
            abort("etcd dropped a watch: " + cause);
        }
    }

    @Override
    public void onError(Throwable error) {
        Throwable cause = error.getCause();
        end(error.getMessage() + (cause == null ? "" : " (" + cause.getMessage() + ")"));
    }

    @Override
    public void onCompleted() {
        end("etcd ended it");
    }

    private void end(String why) {
        lock.lock();
        try {
            endReason = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
