package io.keelson.apiextensions.conversion;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiObject;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What webhooks have made of stored objects, remembered for all versions of all resources together: where there is no room, what was
 * asked for the longest ago goes first, whosever it is. Thread-safe.
 */
public final class ConvertedObjects {
    /** How much a process remembers at most, in bytes of objects and of what it costs to keep them. */
    public static final long MAX_BYTES = 32L * 1024 * 1024;

    /** Which part of the greatest heap it remembers at most. */
    private static final int HEAP_PART = 8;

    /** What an object costs beside its JSON, in bytes: its metadata, its key and its place in the order. */
    static final long COST_BYTES = 512;

    /** One state of one object in one version. */
    private record Key(Section section, String uid, long resourceVersion) {}

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their last use. */
    @GuardedBy("lock")
    private final LinkedHashMap<Key, ApiObject> objects = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long bytes;

    public ConvertedObjects() {
        this(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART));
    }

    ConvertedObjects(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A new part for one version of one resource. */
    Section section() {
        return new Section();
    }

    /** How much is remembered, in bytes. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private static long cost(ApiObject object) {
        return COST_BYTES + object.json().length;
    }

    @GuardedBy("lock")
    private void makeRoom() {
        var oldest = objects.entrySet().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= cost(oldest.next().getValue());
            oldest.remove();
        }
    }

    /** The part of one version, which finds its own objects only. Thread-safe. */
    final class Section {
        private Section() {}

        /** What a state of an object looks like in this version, where that is remembered. */
        @Nullable
        ApiObject get(ApiObject stored) {
            lock.lock();
            try {
                return objects.get(key(stored));
            } finally {
                lock.unlock();
            }
        }

        /** @param stored the state, in whatever version */
        void put(ApiObject stored, ApiObject served) {
            lock.lock();
            try {
                ApiObject before = objects.put(key(stored), served);
                bytes += cost(served) - (before == null ? 0 : cost(before));
                makeRoom();
            } finally {
                lock.unlock();
            }
        }

        /** Forgets what the version has had, which will not be asked for any more. */
        void clear() {
            lock.lock();
            try {
                var each = objects.entrySet().iterator();
                while (each.hasNext()) {
                    var one = each.next();
                    if (one.getKey().section().equals(this)) {
                        bytes -= cost(one.getValue());
                        each.remove();
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        private Key key(ApiObject stored) {
            return new Key(this, stored.meta().uid(), stored.resourceVersion());
        }
    }
}
