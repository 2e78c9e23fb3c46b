package io.keelson.storage.kv;

/**
 * A key with its value, as the store keeps it.
 *
 * @param value not to be changed; empty in answers that leave values out
 * @param createRevision the revision of the write that made the key
 * @param modRevision the revision of the key's last write
 * @param version how many writes the key has had since it was made, from 1
 * @param lease the lease that the key goes with, 0 for none
 */
public record KeyValue(String key, byte[] value, long createRevision, long modRevision, long version, long lease) {}
