package io.keelson.endpoints.output;

import java.util.Arrays;

/**
 * Slices of arrays that are to become one array of exactly their length: each byte is copied once, and nothing before it
 * is known how much there is. Not thread-safe.
 */
final class Pieces {
    private static final int INITIAL_PIECES = 64;

    private byte[][] arrays = new byte[INITIAL_PIECES][];
    private int[] starts = new int[INITIAL_PIECES];
    private int[] lengths = new int[INITIAL_PIECES];
    private int count;
    private int size;

    void add(byte[] array) {
        add(array, 0, array.length);
    }

    /** Adds the bytes from {@code start}, inclusive, to {@code end}, exclusive. */
    void add(byte[] array, int start, int end) {
        if (count == arrays.length) {
            arrays = Arrays.copyOf(arrays, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        arrays[count] = array;
        starts[count] = start;
        lengths[count] = end - start;
        count++;
        size += end - start;
    }

    /** The bytes added since the last join. */
    int size() {
        return size;
    }

    /** Copies what was added into a new array and begins anew. */
    byte[] join() {
        var out = new byte[size];
        int at = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(arrays[i], starts[i], out, at, lengths[i]);
            at += lengths[i];
        }
        Arrays.fill(arrays, 0, count, null);
        count = 0;
        size = 0;
        return out;
    }
}
