package io.keelson.cacher;

/**
 * How a resource's cache stands, for health checks and metrics.
 *
 * @param ready whether it has been filled
 * @param failure why it cannot follow storage at the moment; empty while it does
 * @param capacity the window's capacity in events
 * @param events how many events the window holds
 * @param oldestRevision the oldest revision that a watch may begin after
 * @param revision up to which it shows storage
 * @param objects how many objects it holds
 * @param watchers how many watches run on it
 * @param secondsSinceCurrent since when it has not known to be current, in seconds
 * @param revisionsBehind how many revisions the store is known to be ahead, of whatever resource
 * @param eventsReceived how many events storage has given it
 * @param eventsDispatched how many events it has offered to watchers
 * @param relists how many times it has been filled
 * @param reads how reads of the most recent state went
 * @param consistency what comparisons with storage found
 */
public record CacherStatus(
        boolean ready,
        String failure,
        int capacity,
        long events,
        long oldestRevision,
        long revision,
        long objects,
        int watchers,
        double secondsSinceCurrent,
        long revisionsBehind,
        long eventsReceived,
        long eventsDispatched,
        long relists,
        ReadCounts reads,
        ConsistencyResults consistency) {}
