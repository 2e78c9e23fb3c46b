package io.keelson.endpoints;

import io.keelson.api.GroupVersionKind;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.nio.charset.StandardCharsets;

/**
 * The plain wire forms of a watch event, whose bytes all watchers of a resource share: a line of JSON, for HTTP chunks and
 * WebSocket messages, and the lines of a server-sent event. Immutable.
 */
final class EventFraming implements WatchEvent.Framing {
    private static final byte[] LINE_END = {'}', '\n'};
    private static final byte[] SSE_END = {'\n', '\n'};

    private final boolean sse;
    private final byte[] typeMeta;

    private EventFraming(GroupVersionKind kind, boolean sse) {
        this.sse = sse;
        this.typeMeta = ascii("{\"kind\":\"" + kind.kind() + "\",\"apiVersion\":\"" + kind.apiVersion() + "\",");
    }

    /** {@code {"type":"ADDED","object":{…}}} and a line feed. */
    static EventFraming jsonLine(GroupVersionKind kind) {
        return new EventFraming(kind, false);
    }

    /** {@code event:} and {@code data:} lines and the empty line; the {@code id:} line is each stream's own. */
    static EventFraming serverSent(GroupVersionKind kind) {
        return new EventFraming(kind, true);
    }

    @Override
    public int slot() {
        return sse ? 1 : 0;
    }

    @Override
    public byte[] encode(WatchEvent event) {
        return encode(
                event.type(), event.type() == WatchEventType.BOOKMARK ? withTypeMeta(event.json()) : event.json());
    }

    /** An event with an object in a form of the stream's own. */
    byte[] encode(WatchEventType type, byte[] object) {
        byte[] head = ascii(sse ? "event: " + type + "\ndata: " : "{\"type\":\"" + type + "\",\"object\":");
        byte[] tail = sse ? SSE_END : LINE_END;
        var frame = new byte[head.length + object.length + tail.length];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(object, 0, frame, head.length, object.length);
        // Line breaks in JSON are white space; they only occur in values that others have written into the store.
        for (int i = head.length; i < head.length + object.length; i++) {
            if (frame[i] == '\n' || frame[i] == '\r') {
                frame[i] = ' ';
            }
        }
        System.arraycopy(tail, 0, frame, head.length + object.length, tail.length);
        return frame;
    }

    private byte[] withTypeMeta(byte[] bookmark) {
        var typed = new byte[typeMeta.length + bookmark.length - 1];
        System.arraycopy(typeMeta, 0, typed, 0, typeMeta.length);
        System.arraycopy(bookmark, 1, typed, typeMeta.length, bookmark.length - 1);
        return typed;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
