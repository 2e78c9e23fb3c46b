package io.keelson.storage;

import io.keelson.api.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events that its consumer pulls, so that a slow consumer costs a position and not a queue. One consumer at a
 * time; {@link #close} may come from any thread.
 *
 * <p>The consumer polls until null, and polls again after its callback ran. An ERROR event is the last one.
 */
public interface Watch extends AutoCloseable {
    /** The next event, or null where there is none now. Never blocks. */
    @Nullable
    WatchEvent poll();

    /**
     * Sets the callback that runs when, after {@link #poll} gave null, it may give an event or {@link #ended} may have
     * become true. It may run on any thread and without need, and must be short. Runs at once where events wait already.
     */
    void onReady(Runnable callback);

    /** Whether no event will come any more. Events before the end have been polled when this turns true. */
    boolean ended();

    /** Stops the watch and gives back what it holds. Harmless when repeated. */
    @Override
    void close();
}
