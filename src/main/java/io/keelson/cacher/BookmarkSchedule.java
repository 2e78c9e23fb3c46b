package io.keelson.cacher;

import java.util.concurrent.ConcurrentHashMap;

/**
 * When each watcher is to hear how far it is: once a period, and once shortly before its deadline. Thread-safe; looked
 * through once a tick, since ten thousand comparisons cost less than a timer for each watcher.
 */
final class BookmarkSchedule {
    /** Times by the monotonic clock; {@code deadlineNanos} is Long.MAX_VALUE where there is none. */
    private record Due(long nextNanos, long deadlineNanos) {}

    private final ConcurrentHashMap<CacheWatcher, Due> due = new ConcurrentHashMap<>();

    void add(CacheWatcher watcher, long nextNanos, long deadlineNanos) {
        due.put(watcher, new Due(nextNanos, deadlineNanos));
    }

    void remove(CacheWatcher watcher) {
        due.remove(watcher);
    }

    void run(long now, long periodNanos) {
        due.forEach((watcher, at) -> {
            boolean last = at.deadlineNanos() != Long.MAX_VALUE && now - at.deadlineNanos() >= 0;
            if (last || now - at.nextNanos() >= 0) {
                due.replace(watcher, at, new Due(now + periodNanos, last ? Long.MAX_VALUE : at.deadlineNanos()));
                watcher.requestBookmark();
            } else {
                watcher.remindOfBookmark();
            }
        });
    }
}
