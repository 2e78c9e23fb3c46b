package io.keelson.cacher;

import java.time.Duration;

/**
 * How a Cacher keeps its window and how long its callers wait.
 *
 * @param historySize the ring's capacity at the start and its smallest, in events; at least 1
 * @param maxHistorySize the ring's largest capacity, in events
 * @param freshDuration how long the ring tries to keep an event before it gives way to newer ones
 * @param freshnessTimeout how long a read waits for the cache to reach a revision
 * @param bookmarkPeriod about how often an idle watcher hears how far it is
 * @param replayRevisions how many of the store's latest revisions are read back into the ring at the start, so that
 *     watches from before a restart go on
 * @param consistencyCheckInterval about how often the cache is compared with storage; zero for never
 */
public record CacherOptions(
        int historySize,
        int maxHistorySize,
        Duration freshDuration,
        Duration freshnessTimeout,
        Duration bookmarkPeriod,
        long replayRevisions,
        Duration consistencyCheckInterval) {
    public static final int DEFAULT_HISTORY_SIZE = 100;

    public static final CacherOptions DEFAULT = new CacherOptions(
            DEFAULT_HISTORY_SIZE,
            DEFAULT_HISTORY_SIZE * 1024,
            Duration.ofSeconds(75),
            Duration.ofSeconds(3),
            Duration.ofSeconds(60),
            20_000,
            Duration.ofMinutes(5));

    public CacherOptions {
        if (historySize < 1 || maxHistorySize < historySize) {
            throw new IllegalArgumentException(
                    "the watch cache's size must be at least 1 and at most " + maxHistorySize + ", not " + historySize);
        }
    }

    /** These options with another size at the start. */
    public CacherOptions withHistorySize(int size) {
        return new CacherOptions(
                size,
                Math.max(size, maxHistorySize),
                freshDuration,
                freshnessTimeout,
                bookmarkPeriod,
                replayRevisions,
                consistencyCheckInterval);
    }

    /** These options with another time between comparisons with storage. */
    public CacherOptions withConsistencyCheckInterval(Duration interval) {
        return new CacherOptions(
                historySize,
                maxHistorySize,
                freshDuration,
                freshnessTimeout,
                bookmarkPeriod,
                replayRevisions,
                interval);
    }
}
