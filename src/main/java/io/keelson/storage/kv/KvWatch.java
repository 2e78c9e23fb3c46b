package io.keelson.storage.kv;

/** A running watch of a {@link KvStore}. */
public interface KvWatch extends AutoCloseable {
    /** Ends the watch. The sink may be called once more by a call that is under way. Harmless when repeated. */
    @Override
    void close();

    /** Asks that the watch be told how far it is, as {@link KvStore#requestProgress} does for all. Returns at once. */
    void requestProgress();
}
