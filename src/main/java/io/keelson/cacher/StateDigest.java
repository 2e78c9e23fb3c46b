package io.keelson.cacher;

/**
 * A digest of which keys there are and at which revision each was last written, taken one key at a time and independent of
 * their order. Equal digests of different states are as unlikely as equal 64-bit hashes. For one thread.
 */
final class StateDigest {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private long count;
    private long sum;

    void add(String key, long resourceVersion) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * FNV_PRIME;
        }
        count++;
        sum += spread((hash ^ resourceVersion) * FNV_PRIME);
    }

    /** Spreads each bit over all, as sums of hashes that differ in few bits would meet. The finalizer of MurmurHash3. */
    private static long spread(long hash) {
        long spread = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        spread = (spread ^ (spread >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return spread ^ (spread >>> 33);
    }

    boolean sameAs(StateDigest other) {
        return count == other.count && sum == other.sum;
    }

    @Override
    public String toString() {
        return count + " objects, digest " + Long.toHexString(sum);
    }
}
