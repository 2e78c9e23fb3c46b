package io.keelson.endpoints;

import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One watched resource of a stream: its watch, how its events are encoded and how far the stream has brought its client.
 * Used on the stream's event loop once the stream runs.
 */
final class WatchSource {
    private static final String END_MARK = Bookmarks.INITIAL_EVENTS_END;

    private final Function<ListOptions, Watch> opener;
    private final LongSupplier currentRevision;
    private final ListOptions options;
    private final EventEncoder encoder;
    private @Nullable Watch watch;
    private long position;
    private boolean initialEvents;

    /**
     * @param opener starts a watch with other options; may block
     * @param currentRevision the store's latest revision; may block
     * @param options as the client gave them
     */
    WatchSource(
            Function<ListOptions, Watch> opener,
            LongSupplier currentRevision,
            ListOptions options,
            EventEncoder encoder) {
        this.opener = opener;
        this.currentRevision = currentRevision;
        this.options = options;
        this.encoder = encoder;
    }

    ListOptions options() {
        return options;
    }

    /**
     * Whether the store has come as far as a revision, so that it may have told it. A store that cannot be asked is taken
     * to have: its cache serves those who come back meanwhile. May block.
     */
    boolean hasReached(long revision) {
        try {
            return revision <= currentRevision.getAsLong();
        } catch (StorageException e) {
            return true;
        }
    }

    /** Opens the watch as the client asked for it, from a revision. May block. */
    Watch open(ListOptions from) {
        return opener.apply(from);
    }

    /**
     * Goes on with a watch.
     *
     * @param at the revision that the client has been brought to already, 0 for none
     * @param beginsWithState whether present objects come first, so that no position can be told before their end
     */
    void use(Watch next, long at, boolean beginsWithState) {
        Watch old = watch;
        if (old != null) {
            old.close();
        }
        watch = next;
        position = at;
        initialEvents = beginsWithState;
    }

    /** The watch has failed and another will follow, which tells the present state: till then there is no position. */
    void awaitNext() {
        close();
        watch = null;
        position = 0;
        initialEvents = true;
    }

    @Nullable
    Watch watch() {
        return watch;
    }

    @Nullable
    WatchEvent poll() {
        Watch running = watch;
        return running == null ? null : running.poll();
    }

    boolean ended() {
        Watch running = watch;
        return running != null && running.ended();
    }

    /** Encodes an event that was polled and moves the position. */
    byte[] encode(WatchEvent event) {
        if (event.type() == WatchEventType.BOOKMARK && initialEvents && isEndMark(event)) {
            initialEvents = false;
        }
        if (event.resourceVersion() > position && !initialEvents) {
            position = event.resourceVersion();
        }
        return encoder.encode(event);
    }

    private static boolean isEndMark(WatchEvent bookmark) {
        return new String(bookmark.json(), StandardCharsets.UTF_8).contains(END_MARK);
    }

    /** Whether the client may go on from {@link #position} later without missing a part of the present state. */
    boolean positionKnown() {
        return !initialEvents && position > 0;
    }

    long position() {
        return position;
    }

    void close() {
        Watch running = watch;
        if (running != null) {
            running.close();
        }
    }
}
