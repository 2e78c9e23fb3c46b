package io.keelson.storage.kv;

import org.jspecify.annotations.Nullable;

/**
 * A change of one key.
 *
 * @param value the new value of a put, or of a deletion null
 * @param previous the state before, null where there was none
 * @param revision the change's revision
 */
public record KvEvent(
        String key, byte @Nullable [] value, @Nullable KeyValue previous, long revision) {
    public boolean deleted() {
        return value == null;
    }
}
