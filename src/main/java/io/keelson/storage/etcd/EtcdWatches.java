package io.keelson.storage.etcd;

import com.google.errorprone.annotations.ThreadSafe;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.KvWatch;
import io.keelson.storage.kv.KvWatchSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * All watches of a store, on as few streams as is right.
 *
 * <p>etcd answers a request for progress once for a whole stream, and the answer does not say to which request. Were a
 * watch added to a stream after such a request, an answer from before it could be taken as its progress, although its
 * own events were still to come. So a stream takes no more watches once progress was asked for on it; later ones share a
 * new stream. Then every answer speaks for every watch of its stream.
 */
@ThreadSafe
final class EtcdWatches implements AutoCloseable {
    private final EtcdEndpoints endpoints;
    private final EtcdVersions versions;
    private final LongConsumer compacted;

    /** Taken before a stream's lock. */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<EtcdWatchStream> streams = new ArrayList<>();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param compacted is told of each revision that turns out to be the compacted one
     */
    EtcdWatches(EtcdEndpoints endpoints, EtcdVersions versions, LongConsumer compacted) {
        this.endpoints = endpoints;
        this.versions = versions;
        this.compacted = compacted;
    }

    KvWatch watch(String start, String end, long startRevision, KvWatchSink sink) {
        EtcdWatch watch = new EtcdWatch(start, end, startRevision, sink);
        EtcdWatchStream stream = place(watch);
        return new KvWatch() {
            @Override
            public void close() {
                watch.close();
                stream.remove(watch);
            }

            @Override
            public void requestProgress() {
                stream.requestProgress();
            }
        };
    }

    private EtcdWatchStream place(EtcdWatch watch) {
        lock.lock();
        try {
            if (closed) {
                throw new StorageException.Unreachable("etcd: the store is closed", null);
            }
            for (EtcdWatchStream stream : streams) {
                if (stream.offer(watch)) {
                    return stream;
                }
            }
            EtcdWatchStream stream = new EtcdWatchStream(endpoints, versions, compacted, this::ended, watch);
            streams.add(stream);
            Thread.ofVirtual().name("etcd-watch-stream").start(stream);
            return stream;
        } finally {
            lock.unlock();
        }
    }

    void requestProgress() {
        snapshot().forEach(EtcdWatchStream::requestProgress);
    }

    private List<EtcdWatchStream> snapshot() {
        lock.lock();
        try {
            return List.copyOf(streams);
        } finally {
            lock.unlock();
        }
    }

    private void ended(EtcdWatchStream stream) {
        lock.lock();
        try {
            streams.remove(stream);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches, without a word to their sinks. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        snapshot().forEach(EtcdWatchStream::close);
    }
}
