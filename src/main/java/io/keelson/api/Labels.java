package io.keelson.api;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object's labels: an immutable map held as one sorted array, since a cache keeps one for every object. Lookups are
 * by binary search over a handful of entries.
 */
public final class Labels {
    /** No labels. */
    public static final Labels NONE = new Labels(new String[0]);

    /** Keys and values recur across objects, so equal ones are shared through this direct-mapped table. */
    private static final String[] SHARED = new String[8192];

    /** The longest text that the table may hold on to, in characters: long ones are rarely equal. */
    private static final int MAX_SHARED_LENGTH = 256;

    private final String[] pairs;

    private Labels(String[] pairs) {
        this.pairs = pairs;
    }

    public static Labels of(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return NONE;
        }
        var pairs = new String[labels.size() * 2];
        int i = 0;
        for (var entry : new TreeMap<>(labels).entrySet()) {
            pairs[i++] = share(entry.getKey());
            pairs[i++] = share(entry.getValue());
        }
        return new Labels(pairs);
    }

    /** The value of a label, or null where the object does not carry it. */
    public @Nullable String get(String key) {
        int low = 0;
        int high = pairs.length / 2 - 1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            int order = pairs[2 * mid].compareTo(key);
            if (order == 0) {
                return pairs[2 * mid + 1];
            }
            if (order < 0) {
                low = mid + 1;
            } else {
                high = mid - 1;
            }
        }
        return null;
    }

    public boolean has(String key) {
        return get(key) != null;
    }

    public int size() {
        return pairs.length / 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels labels && Arrays.equals(pairs, labels.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pairs);
    }

    /** {@code a=1,b=2}, sorted by key; {@code <none>} where there are none, as tables show it. */
    @Override
    public String toString() {
        if (pairs.length == 0) {
            return "<none>";
        }
        var out = new StringBuilder();
        for (int i = 0; i < pairs.length; i += 2) {
            out.append(i == 0 ? "" : ",").append(pairs[i]).append('=').append(pairs[i + 1]);
        }
        return out.toString();
    }

    /** Strings are immutable and safely published, so a lost race in the table only misses a chance to share. */
    static String share(String text) {
        if (text.length() > MAX_SHARED_LENGTH) {
            return text;
        }
        int slot = (text.hashCode() * 0x9E3779B9) >>> 19;
        String known = SHARED[slot];
        if (text.equals(known)) {
            return known;
        }
        SHARED[slot] = text;
        return text;
    }
}
