package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import io.etcd.jetcd.api.Event;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvEvent;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayList;
import java.util.List;

/**
 * One watch: what it looks at, who takes the events, and how far it is. It outlives connections; each new one goes on at
 * {@link #next()}.
 *
 * <p>Invariant: all events with {@code revision < next} were given to the sink, none with {@code revision >= next} was.
 * Only the thread that delivers moves {@code next}; connections follow one another, so there is one at a time.
 */
@ThreadSafe
final class EtcdWatch {
    private final String start;
    private final String end;
    private final KvWatchSink sink;
    private volatile long next;
    private volatile boolean closed;

    EtcdWatch(String start, String end, long startRevision, KvWatchSink sink) {
        this.start = start;
        this.end = end;
        this.next = startRevision;
        this.sink = sink;
    }

    String start() {
        return start;
    }

    String end() {
        return end;
    }

    /** The first revision, inclusive, that the sink has not seen. */
    long next() {
        return next;
    }

    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    /**
     * Gives the events of one answer to the sink, without those that it has seen. etcd never spreads a revision over two
     * answers, unless asked to send large ones in fragments, which we do not.
     */
    void deliver(List<Event> events) {
        long from = next;
        List<KvEvent> fresh = new ArrayList<>(events.size());
        for (Event event : events) {
            if (event.getKv().getModRevision() >= from) {
                fresh.add(EtcdMessages.event(event));
            }
        }
        if (fresh.isEmpty() || closed) {
            return;
        }
        next = fresh.getLast().revision() + 1;
        sink.onEvents(fresh);
    }

    /** Tells the sink that nothing up to and including a revision is missing; one that it is beyond is not told. */
    void progress(long revision) {
        if (revision + 1 < next || closed) {
            return;
        }
        next = revision + 1;
        sink.onProgress(revision);
    }

    void fail(StorageException error) {
        if (!closed) {
            closed = true;
            sink.onError(error);
        }
    }
}
