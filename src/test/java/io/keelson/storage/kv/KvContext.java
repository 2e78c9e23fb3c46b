package io.keelson.storage.kv;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What every theme of the contract for a {@link KvStore} works with. Keys are below a prefix of the test's own. */
public interface KvContext {
    /** The longest that a test waits for what a store does by itself. */
    Duration PATIENCE = Duration.ofSeconds(30);

    /** The store under test, open, and closed after the test. */
    KvStore store();

    /** A key of this test; it stays below {@link #start} and {@link #end} unless the name leaves them. */
    String key(String name);

    /** Starts a watch that ends with the test. */
    KvWatch watch(String start, String end, long startRevision, KvWatchSink sink);

    /** Lets time pass for the store's leases. A store on the real clock need do nothing: tests wait for the effect. */
    void passTime(Duration time);

    /**
     * Whether a watch from the compacted revision still brings a deletion made at it. etcd does so from 3.4.36, 3.5.18
     * and 3.6.0 on.
     */
    default boolean keepsDeletionAtCompactRevision() {
        return true;
    }

    default String start() {
        return key("");
    }

    default String end() {
        String start = start();
        return start.substring(0, start.length() - 1) + '0';
    }

    default RecordingWatchSink watchAll(long startRevision) {
        var sink = new RecordingWatchSink();
        watch(start(), end(), startRevision, sink);
        return sink;
    }

    /** Makes a key that is not there and returns the revision. */
    default long create(String name, String value) {
        return put(name, value, 0);
    }

    /** Writes a key whose last write is known and returns the revision. */
    default long put(String name, String value, long expectedModRevision) {
        KvStore.WriteResult result = store().put(key(name), bytes(value), expectedModRevision, 0);
        if (!result.succeeded()) {
            throw new AssertionError("put of " + name + " did not succeed: " + result);
        }
        return result.revision();
    }

    /** Deletes a key whose last write is known and returns the revision. */
    default long delete(String name, long expectedModRevision) {
        KvStore.WriteResult result = store().delete(key(name), expectedModRevision);
        if (!result.succeeded()) {
            throw new AssertionError("delete of " + name + " did not succeed: " + result);
        }
        return result.revision();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
