package io.keelson.cacher;

import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.storage.ListerWatcher;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A resource in memory that a test changes. Changes reach the running watch at once, on the thread of the test, unless
 * the watch is held; then they come when it is let go. Thread-safe.
 */
final class TestingListerWatcher implements ListerWatcher {
    static final String PREFIX = "/registry/things/";
    private static final ObjectDecoder DECODER = new ObjectDecoder(StorageContext.FIELDS);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition watched = lock.newCondition();
    private final List<List<Change>> history = new ArrayList<>();
    private final Deque<StorageException> listFailures = new ArrayDeque<>();
    private long revision;
    private long compacted;
    private Sink sink;
    private long sent;
    private boolean held;
    private int watches;
    private int progressRequests;

    /** @param revision of the store when it is made, at which the resource is empty */
    TestingListerWatcher(long revision) {
        this.revision = revision;
    }

    static String key(String path) {
        return PREFIX + path;
    }

    static ApiObject object(String path, String uid, String tier, String value, long revision) {
        var thing = StorageContext.thing(path, tier, value);
        thing.withObjectProperty("metadata").put("uid", uid);
        return DECODER.decode(Json.writeObject(thing), revision);
    }

    static Change put(String path, String value, long revision) {
        return new Change(key(path), object(path, "uid-of-" + path, "front", value, revision), revision);
    }

    long put(String path, String value) {
        return commit(List.of(put(path, value, nextRevision())));
    }

    long put(String path, String uid, String tier, String value) {
        long next = nextRevision();
        return commit(List.of(new Change(key(path), object(path, uid, tier, value, next), next)));
    }

    /** Deletes objects at one revision, as the end of a lease does. */
    long delete(String... paths) {
        long next = nextRevision();
        var changes = new ArrayList<Change>();
        for (String path : paths) {
            changes.add(new Change(key(path), null, next));
        }
        return commit(changes);
    }

    /** A write whose event the running watch loses. */
    long putUnseen(String path, String value) {
        lock.lock();
        try {
            revision++;
            history.add(List.of(put(path, value, revision)));
            sent = revision;
            return revision;
        } finally {
            lock.unlock();
        }
    }

    /** A write of another resource. */
    long writeElsewhere() {
        return commit(List.of());
    }

    private long nextRevision() {
        lock.lock();
        try {
            return revision + 1;
        } finally {
            lock.unlock();
        }
    }

    private long commit(List<Change> changes) {
        lock.lock();
        try {
            revision++;
            if (!changes.isEmpty()) {
                history.add(List.copyOf(changes));
            }
            deliver();
            return revision;
        } finally {
            lock.unlock();
        }
    }

    private void deliver() {
        if (sink == null || held) {
            return;
        }
        for (List<Change> changes : history) {
            long at = changes.getFirst().revision();
            if (at > sent) {
                sent = at;
                sink.onChanges(changes);
            }
        }
    }

    void hold() {
        lock.lock();
        try {
            held = true;
        } finally {
            lock.unlock();
        }
    }

    void letGo() {
        lock.lock();
        try {
            held = false;
            deliver();
        } finally {
            lock.unlock();
        }
    }

    void compact() {
        lock.lock();
        try {
            compacted = revision;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the next list fail. */
    void failList(StorageException failure) {
        lock.lock();
        try {
            listFailures.add(failure);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the running watch; what is committed until another begins is seen by a list only. */
    void endWatch(StorageException reason) {
        lock.lock();
        try {
            Sink running = sink;
            sink = null;
            if (running != null) {
                running.onError(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many watches have begun in all. */
    void awaitWatches(int count) throws InterruptedException {
        lock.lock();
        try {
            long left = StorageContext.PATIENCE.toNanos();
            while (watches < count || sink == null) {
                if (left <= 0) {
                    throw new AssertionError("no watch began");
                }
                left = watched.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long list(ObjectConsumer consumer) {
        return listAt(currentRevision(), consumer);
    }

    @Override
    public long listAt(long asked, ObjectConsumer consumer) {
        lock.lock();
        try {
            if (!listFailures.isEmpty()) {
                throw listFailures.remove();
            }
            if (asked < compacted) {
                throw new StorageException.Expired("compacted");
            }
            var objects = new TreeMap<String, ApiObject>();
            for (List<Change> changes : history) {
                for (Change change : changes) {
                    if (change.revision() <= asked && change.object() == null) {
                        objects.remove(change.key());
                    } else if (change.revision() <= asked) {
                        objects.put(change.key(), change.object());
                    }
                }
            }
            objects.forEach(consumer::accept);
            return asked;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void versionsAt(long asked, VersionConsumer consumer) {
        listAt(asked, (key, object) -> consumer.accept(key, object.resourceVersion()));
    }

    @Override
    public Subscription watch(long afterRevision, Sink to) {
        lock.lock();
        try {
            sink = to;
            sent = afterRevision;
            watches++;
            deliver();
            watched.signalAll();
        } finally {
            lock.unlock();
        }
        return new Subscription() {
            @Override
            public void close() {
                lock.lock();
                try {
                    if (sink == to) {
                        sink = null;
                    }
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void requestProgress() {
                TestingListerWatcher.this.requestProgress();
            }
        };
    }

    /** Tells the running watch how far it is. */
    void requestProgress() {
        lock.lock();
        try {
            progressRequests++;
            if (sink != null && !held) {
                sink.onProgress(revision);
            }
        } finally {
            lock.unlock();
        }
    }

    int progressRequests() {
        lock.lock();
        try {
            return progressRequests;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean supportsProgress() {
        return true;
    }

    @Override
    public long currentRevision() {
        return nextRevision() - 1;
    }

    @Override
    public long compactRevision() {
        lock.lock();
        try {
            return compacted;
        } finally {
            lock.unlock();
        }
    }
}
