package io.keelson.api;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One event of a watch. The same instance goes to every watcher that sees the event in this form, and remembers each
 * framing's bytes, so that a frame is encoded once and shared. Thread-safe: a race encodes a frame twice and both are
 * equal.
 */
public final class WatchEvent {
    /** Turns an event into the bytes of one wire format. */
    public interface Framing {
        /** How many framings may be remembered by an event. */
        int SLOTS = 4;

        /** Where an event remembers this framing's bytes: {@code 0 <= slot < SLOTS}. */
        int slot();

        byte[] encode(WatchEvent event);
    }

    private static final byte[] NO_JSON = {};

    private final WatchEventType type;

    /** The JSON of what is no object of the resource; that of an object is its own. */
    private final byte[] json;

    private final long resourceVersion;
    private final @Nullable ApiObject object;
    private final AtomicReferenceArray<byte[]> frames = new AtomicReferenceArray<>(Framing.SLOTS);

    private WatchEvent(WatchEventType type, @Nullable ApiObject object, byte[] json, long resourceVersion) {
        this.type = type;
        this.object = object;
        this.json = json;
        this.resourceVersion = resourceVersion;
    }

    /** An event about an object. A deletion carries the last state stamped with the deletion's revision. */
    public static WatchEvent of(WatchEventType type, ApiObject object) {
        return new WatchEvent(type, object, NO_JSON, object.resourceVersion());
    }

    /** Tells that everything up to a revision was delivered; {@code json} is the bookmark object. */
    public static WatchEvent bookmark(byte[] json, long resourceVersion) {
        return new WatchEvent(WatchEventType.BOOKMARK, null, json, resourceVersion);
    }

    /** Ends a watch; {@code status} is its Status object. */
    public static WatchEvent error(Status status) {
        return new WatchEvent(WatchEventType.ERROR, null, status.toJson(), 0);
    }

    public WatchEventType type() {
        return type;
    }

    /** The object this event is about, null for BOOKMARK and ERROR. */
    public @Nullable ApiObject object() {
        return object;
    }

    /** The JSON of the event's object, bookmark object or Status. Not to be changed. */
    public byte[] json() {
        return object == null ? json : object.json();
    }

    /** The revision that this event brings a watcher to; 0 for ERROR. */
    public long resourceVersion() {
        return resourceVersion;
    }

    /**
     * This event's bytes in one framing, encoded at most once but for races. Not to be changed. Those about an object that is packed
     * are encoded anew each time, as they would take the memory that packing saves.
     */
    public byte[] frame(Framing framing) {
        byte[] known = frames.get(framing.slot());
        if (known == null) {
            known = framing.encode(this);
            if (object == null || !object.isPacked()) {
                frames.set(framing.slot(), known);
            }
        }
        return known;
    }

    /** Gives the remembered frames back to the collector, when those who read at the front of the log have passed. */
    public void forgetFrames() {
        for (int i = 0; i < Framing.SLOTS; i++) {
            frames.setRelease(i, null);
        }
    }
}
