package io.keelson.bench;

/** Counts of durations in buckets that are at most 1.6 % wide, for quantiles. Used by one thread. */
final class Latencies {
    private static final int SUB_BITS = 6;
    private static final int SUB = 1 << SUB_BITS;

    private final long[] counts = new long[64 * SUB];
    private long total;

    void add(long nanos) {
        counts[bucket(Math.max(1, nanos))]++;
        total++;
    }

    long count() {
        return total;
    }

    /** The duration in milliseconds that a share of all stay at or below; NaN where there are none. */
    double millis(double quantile) {
        long rank = (long) Math.ceil(quantile * total);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return upper(i) / 1e6;
            }
        }
        return Double.NaN;
    }

    private static int bucket(long nanos) {
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        if (exponent < SUB_BITS) {
            return (int) nanos;
        }
        int sub = (int) (nanos >>> (exponent - SUB_BITS)) - SUB;
        return (exponent - SUB_BITS + 1) * SUB + sub;
    }

    private static double upper(int bucket) {
        if (bucket < SUB) {
            return bucket;
        }
        int exponent = bucket / SUB - 1 + SUB_BITS;
        return Math.scalb(1.0 + (bucket % SUB + 1.0) / SUB, exponent);
    }
}
