package io.keelson.storage;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a list or a watch asks for.
 *
 * @param resourceVersion null where the client gave none (the most recent state), 0 for any state
 * @param limit items of a page, 0 for all
 * @param continueToken where the page starts, empty for the first
 * @param allowBookmarks whether a watch may carry BOOKMARK events
 * @param sendInitialEvents whether a watch begins with the present state and a bookmark that ends it; null where not said
 * @param timeout how long a watch lasts; null for a list or an internal watch without an end
 */
public record ListOptions(
        @Nullable Long resourceVersion,
        ResourceVersionMatch match,
        SelectionPredicate predicate,
        long limit,
        String continueToken,
        boolean allowBookmarks,
        @Nullable Boolean sendInitialEvents,
        @Nullable Duration timeout) {

    /** The most recent state of everything. */
    public static final ListOptions LATEST =
            new ListOptions(null, ResourceVersionMatch.UNSET, SelectionPredicate.EVERYTHING, 0, "", false, null, null);

    public ListOptions withResourceVersion(@Nullable Long revision) {
        return new ListOptions(
                revision, match, predicate, limit, continueToken, allowBookmarks, sendInitialEvents, timeout);
    }

    public ListOptions withMatch(ResourceVersionMatch other) {
        return new ListOptions(
                resourceVersion, other, predicate, limit, continueToken, allowBookmarks, sendInitialEvents, timeout);
    }

    public ListOptions withPredicate(SelectionPredicate other) {
        return new ListOptions(
                resourceVersion, match, other, limit, continueToken, allowBookmarks, sendInitialEvents, timeout);
    }

    public ListOptions withPage(long items, String token) {
        return new ListOptions(
                resourceVersion, match, predicate, items, token, allowBookmarks, sendInitialEvents, timeout);
    }

    public ListOptions withAllowBookmarks(boolean allow) {
        return new ListOptions(
                resourceVersion, match, predicate, limit, continueToken, allow, sendInitialEvents, timeout);
    }

    public ListOptions withSendInitialEvents(@Nullable Boolean send) {
        return new ListOptions(resourceVersion, match, predicate, limit, continueToken, allowBookmarks, send, timeout);
    }

    public ListOptions withTimeout(@Nullable Duration duration) {
        return new ListOptions(
                resourceVersion, match, predicate, limit, continueToken, allowBookmarks, sendInitialEvents, duration);
    }
}
