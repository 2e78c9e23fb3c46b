package io.keelson.storage.etcd;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of etcd, such as 3.5.16. What follows the third number does not count. */
record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6}).*");
    private static final Comparator<EtcdVersion> ORDER = Comparator.comparingInt(EtcdVersion::major)
            .thenComparingInt(EtcdVersion::minor)
            .thenComparingInt(EtcdVersion::patch);
    private static final EtcdVersion PROGRESS_IN_3_4 = new EtcdVersion(3, 4, 31);
    private static final EtcdVersion NEXT_MINOR = new EtcdVersion(3, 5, 0);
    private static final EtcdVersion PROGRESS_IN_3_5 = new EtcdVersion(3, 5, 13);

    /** Reads a version; what is none counts as the oldest. */
    static EtcdVersion parse(String text) {
        Matcher matcher = NUMBERS.matcher(text);
        return matcher.matches()
                ? new EtcdVersion(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)))
                : new EtcdVersion(0, 0, 0);
    }

    /**
     * Whether progress that was asked for is told only after all events up to it. Older ones tell the store's revision at
     * once, while events of watches that are still catching up come later.
     */
    boolean reliableProgress() {
        return compareTo(PROGRESS_IN_3_5) >= 0 || (compareTo(PROGRESS_IN_3_4) >= 0 && compareTo(NEXT_MINOR) < 0);
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
