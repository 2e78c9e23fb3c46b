package io.keelson.cacher;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The sliding window of a resource's latest events: a ring, oldest out first.
 *
 * <p><b>Writers.</b> One thread at a time appends ({@link #append}); the caller sees to that.
 *
 * <p><b>Readers.</b> Any number, without a lock. An event is found by its sequence, which it carries itself: a reader that
 * finds another event, or none, in its slot looks at {@link #start} again and knows whether the window has passed it.
 *
 * <p><b>Invariants.</b> The window holds the sequences {@code start <= s < end}. {@code end} only rises, by one an event;
 * {@code start} never falls, also when the ring is resized. Revisions never fall with rising sequences; several
 * changes that the store made at one revision follow each other. An event is in its slot before
 * {@code end} passes it, and {@code start} passes it before its slot is given to another.
 *
 * <p><b>Size.</b> The capacity doubles when the ring is full and its oldest event is younger than the fresh duration, and
 * halves when the newest quarter alone spans more than that; it stays between the two bounds it was made with. It does not
 * double where that is not allowed, for want of memory.
 */
final class WatchCacheHistory {
    private final int minimumCapacity;
    private final int maximumCapacity;
    private final long freshNanos;
    private final LongPredicate allowsToDouble;
    private volatile AtomicReferenceArray<@Nullable WatchCacheEvent> slots;
    private volatile long start;
    private volatile long end;

    /** Written by the one writer. */
    private volatile long heldBytes;

    /** Before which sequence it is not asked again whether the ring may double: it was refused. */
    private long doublesFrom;

    WatchCacheHistory(int minimumCapacity, int maximumCapacity, long freshNanos) {
        this(minimumCapacity, maximumCapacity, freshNanos, bytes -> true);
    }

    /** @param allowsToDouble whether a window that holds some bytes may come to hold as much again */
    WatchCacheHistory(int minimumCapacity, int maximumCapacity, long freshNanos, LongPredicate allowsToDouble) {
        this.allowsToDouble = allowsToDouble;
        this.minimumCapacity = minimumCapacity;
        this.maximumCapacity = maximumCapacity;
        this.freshNanos = freshNanos;
        this.slots = new AtomicReferenceArray<>(minimumCapacity);
    }

    /** The sequence of the oldest event in the window; equal to {@link #end} where it is empty. */
    long start() {
        return start;
    }

    /** The sequence that the next event will have. */
    long end() {
        return end;
    }

    /** About what is in memory for the events of the window alone, in bytes. */
    long heldBytes() {
        return heldBytes;
    }

    int capacity() {
        return slots.length();
    }

    /** The event with a sequence, or null where the window has passed it or has not reached it. */
    @Nullable
    WatchCacheEvent get(long sequence) {
        while (sequence >= start && sequence < end) {
            AtomicReferenceArray<@Nullable WatchCacheEvent> ring = slots;
            WatchCacheEvent event = ring.get((int) (sequence % ring.length()));
            if (event != null && event.sequence() == sequence) {
                return event;
            }
            // The ring was exchanged, or the window has just passed the sequence: both show on the next look.
            Thread.onSpinWait();
        }
        return null;
    }

    /** Appends the event with sequence {@link #end}. Returns the latest of the events that left the window for it, if any. */
    @Nullable
    WatchCacheEvent append(WatchCacheEvent event) {
        long sequence = end;
        if (event.sequence() != sequence) {
            throw new IllegalArgumentException("event " + event.sequence() + " appended at " + sequence);
        }
        WatchCacheEvent evicted = resizeFor(event.nanoTime());
        AtomicReferenceArray<@Nullable WatchCacheEvent> ring = slots;
        long oldest = start;
        if (sequence - oldest == ring.length()) {
            evicted = ring.get((int) (oldest % ring.length()));
            start = oldest + 1;
            release(evicted);
        }
        hold(event);
        ring.set((int) (sequence % ring.length()), event);
        end = sequence + 1;
        return evicted;
    }

    private @Nullable WatchCacheEvent resizeFor(long now) {
        int capacity = slots.length();
        if (end - start < capacity) {
            return null;
        }
        WatchCacheEvent oldest = get(start);
        if (oldest != null && now - oldest.nanoTime() < freshNanos) {
            if (capacity < maximumCapacity && end >= doublesFrom) {
                if (allowsToDouble.test(heldBytes)) {
                    return resize((int) Math.min(capacity * 2L, maximumCapacity));
                }
                doublesFrom = end + capacity / 4;
            }
            return null;
        }
        WatchCacheEvent newestQuarter = get(end - capacity / 4);
        if (newestQuarter != null && now - newestQuarter.nanoTime() > freshNanos && capacity > minimumCapacity) {
            return resize(Math.max(capacity / 2, minimumCapacity));
        }
        return null;
    }

    /** Whether half of the window is no less than the smallest size. */
    boolean canHalve() {
        return (end - start) / 2 >= minimumCapacity;
    }

    /** Gives the older half of the window away where that may be; by the writer. */
    @Nullable
    WatchCacheEvent halve() {
        return canHalve() ? resize((int) ((end - start) / 2)) : null;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // There is one writer.
    private void hold(WatchCacheEvent event) {
        heldBytes += event.heldBytes();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // There is one writer.
    private void release(@Nullable WatchCacheEvent event) {
        heldBytes -= event == null ? 0 : event.heldBytes();
    }

    private @Nullable WatchCacheEvent resize(int capacity) {
        AtomicReferenceArray<@Nullable WatchCacheEvent> old = slots;
        var ring = new AtomicReferenceArray<@Nullable WatchCacheEvent>(capacity);
        long from = Math.max(start, end - capacity);
        WatchCacheEvent evicted = from == start ? null : get(from - 1);
        for (long sequence = start; sequence < from; sequence++) {
            release(get(sequence));
        }
        start = from;
        for (long sequence = from; sequence < end; sequence++) {
            ring.set((int) (sequence % capacity), old.get((int) (sequence % old.length())));
        }
        slots = ring;
        return evicted;
    }

    /** The sequence of the first event after a revision; {@link #end} where there is none. Callers hold off the writer. */
    long firstAfter(long revision) {
        long low = start;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            WatchCacheEvent event = get(middle);
            if (event != null && event.resourceVersion() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
