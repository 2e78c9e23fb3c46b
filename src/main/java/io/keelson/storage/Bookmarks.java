package io.keelson.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;

/**
 * BOOKMARK events. Their object carries a resourceVersion and, at the end of the initial events, an annotation (KEP-956,
 * KEP-3157); the endpoint that knows the kind adds apiVersion and kind.
 */
public final class Bookmarks {
    /** The annotation of the bookmark that ends the initial events. */
    public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private Bookmarks() {}

    /** Everything up to a revision was delivered. */
    public static WatchEvent progress(long revision) {
        return WatchEvent.bookmark(Json.write(object(revision)), revision);
    }

    /** The initial events, and everything up to a revision, were delivered. */
    public static WatchEvent initialEventsEnd(long revision) {
        ObjectNode bookmark = object(revision);
        ((ObjectNode) bookmark.get("metadata")).putObject("annotations").put(INITIAL_EVENTS_END, "true");
        return WatchEvent.bookmark(Json.write(bookmark), revision);
    }

    private static ObjectNode object(long revision) {
        ObjectNode bookmark = Json.object();
        bookmark.putObject("metadata").put("resourceVersion", Long.toString(revision));
        return bookmark;
    }
}
