package io.keelson.storage.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KeyValue;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvStore.WriteResult;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Conditional writes, and what to make of one that got no answer. Thread-safe.
 *
 * <h2>Why an unanswered write may be repeated</h2>
 *
 * A write compares the key's modRevision with the expected one. Any write to the key moves its modRevision on, and no
 * revision comes twice, so of the write and its repeat at most one can succeed, even where the first is still under way
 * and arrives later. The repeat's answer tells:
 *
 * <ul>
 *   <li><b>It succeeded</b>: the first did not happen, and cannot any more.
 *   <li><b>It failed</b>: something wrote to the key since the expected revision. The first write to it after that
 *       revision decides, and history keeps it: it was ours where it has our value (or is a deletion, for a deletion).
 *       Otherwise ours came too late and has failed for good.
 * </ul>
 *
 * Two cases are decided for the caller's good rather than proven. Somebody else may have written the very same bytes on
 * the same revision at the same time: then both are told that they succeeded, and the key is as both wanted it. And as
 * absence has no revision, a creation that happened, was deleted by another in between and is then repeated makes the key
 * again, as if it had come after that deletion.
 *
 * <p>The repeat and the look into history have the rest of the call's time, of which the first attempt gets only
 * {@value #FIRST_ATTEMPT_PERCENT} %. Where they find out nothing, the outcome stays unknown.
 */
final class EtcdWrites {
    private static final int FIRST_ATTEMPT_PERCENT = 70;

    /** Starts a watch, as {@link io.keelson.storage.kv.KvStore#watch} does. */
    @FunctionalInterface
    interface Watches {
        KvWatch watch(String start, String end, long startRevision, KvWatchSink sink);
    }

    private final EtcdCalls calls;
    private final Watches watches;
    private final Duration timeout;

    EtcdWrites(EtcdCalls calls, Watches watches, Duration timeout) {
        this.calls = calls;
        this.watches = watches;
        this.timeout = timeout;
    }

    WriteResult put(String key, byte[] value, long expectedModRevision, long lease) {
        return write(EtcdMessages.putIf(key, value, expectedModRevision, lease), key, value, expectedModRevision);
    }

    WriteResult delete(String key, long expectedModRevision) {
        return write(EtcdMessages.deleteIf(key, expectedModRevision), key, null, expectedModRevision);
    }

    /**
     * @param value what is to be put, null for a deletion
     */
    private WriteResult write(TxnRequest request, String key, byte @Nullable [] value, long expectedModRevision) {
        long start = System.nanoTime();
        long budget = timeout.toNanos();
        try {
            return txn(request, start + budget / 100 * FIRST_ATTEMPT_PERCENT);
        } catch (StorageException.UnknownOutcome unknown) {
            return resolve(request, key, value, expectedModRevision, start + budget, unknown);
        }
    }

    private WriteResult txn(TxnRequest request, long deadlineNanos) {
        TxnResponse response = calls.write(KVGrpc.getTxnMethod(), request, deadlineNanos);
        long revision = response.getHeader().getRevision();
        if (response.getSucceeded()) {
            return new WriteResult(true, revision, null);
        }
        List<io.etcd.jetcd.api.KeyValue> kvs =
                response.getResponses(0).getResponseRange().getKvsList();
        return new WriteResult(false, revision, kvs.isEmpty() ? null : EtcdMessages.keyValue(kvs.getFirst()));
    }

    private WriteResult resolve(
            TxnRequest request,
            String key,
            byte @Nullable [] value,
            long expectedModRevision,
            long deadlineNanos,
            StorageException.UnknownOutcome unknown) {
        try {
            WriteResult repeat = txn(request, deadlineNanos);
            if (repeat.succeeded()) {
                return repeat;
            }
            KeyValue current = repeat.current();
            long base = expectedModRevision > 0 || current == null ? expectedModRevision : current.createRevision() - 1;
            KvEvent decisive = firstEventAfter(key, base, deadlineNanos);
            return Arrays.equals(decisive.value(), value) ? new WriteResult(true, decisive.revision(), null) : repeat;
        } catch (StorageException stillUnknown) {
            unknown.addSuppressed(stillUnknown);
            throw unknown;
        }
    }

    private KvEvent firstEventAfter(String key, long revision, long deadlineNanos) {
        CompletableFuture<KvEvent> first = new CompletableFuture<>();
        KvWatchSink sink = new KvWatchSink() {
            @Override
            public void onEvents(List<KvEvent> events) {
                first.complete(events.getFirst());
            }

            @Override
            public void onProgress(long unused) {}

            @Override
            public void onError(StorageException error) {
                first.completeExceptionally(error);
            }
        };
        KvWatch watch = watches.watch(key, key + '\0', revision + 1, sink);
        try {
            return first.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StorageException.Timeout("etcd: the history of " + key + " was not read in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException.Timeout("etcd: interrupted while the history of " + key + " was read", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StorageException known
                    ? known
                    : new StorageException.Internal("etcd: the history of " + key + " cannot be read", e);
        } finally {
            watch.close();
        }
    }
}
