package io.keelson.cacher;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the windows of all caches of a process may take together. A window that would take more does not grow; where they
 * hold too much all the same, the largest gives its older half away, and so it does where a much smaller one would grow. Watchers
 * that stood there list again, which costs less than a server that runs out of memory. A window keeps its smallest size in
 * any case. What counts is what a window alone holds on to: the states that later ones have taken the place of.
 * Thread-safe.
 */
public final class HistoryBudget {
    /** How many times the largest window exceeds one that would grow, at least, to give way to it. */
    private static final int UNFAIR = 4;

    private final long maxBytes;
    private final AtomicLong held = new AtomicLong();
    private final Set<WatchCache> members = ConcurrentHashMap.newKeySet();

    /** What a window holds that was not allowed to grow; 0 where none has been lately. */
    private volatile long refusedBytes;

    /** @param maxBytes for all windows together */
    public HistoryBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    static HistoryBudget unlimited() {
        return new HistoryBudget(Long.MAX_VALUE);
    }

    /** What all windows hold, in bytes. */
    public long heldBytes() {
        return held.get();
    }

    void join(WatchCache member) {
        members.add(member);
    }

    void leave(WatchCache member) {
        members.remove(member);
    }

    /** A window holds more than before, or less. */
    void account(long bytes) {
        held.addAndGet(bytes);
    }

    /** Whether a window may grow that holds some bytes and might hold as much again. */
    boolean allowsToDouble(long bytes) {
        if (held.get() + bytes <= maxBytes) {
            return true;
        }
        refusedBytes = Math.max(1, bytes);
        return false;
    }

    /** Has windows give way where that is due. To be called without the lock of any cache. */
    void settle() {
        while (held.get() > maxBytes && halveLargest(0)) {}
        long refused = refusedBytes;
        if (refused > 0) {
            refusedBytes = 0;
            halveLargest(refused * UNFAIR);
        }
    }

    private boolean halveLargest(long moreThanBytes) {
        return members.stream()
                .filter(member -> member.historyBytes() > moreThanBytes && member.canHalveHistory())
                .max(Comparator.comparingLong(WatchCache::historyBytes))
                .map(WatchCache::halveHistory)
                .orElse(false);
    }
}
