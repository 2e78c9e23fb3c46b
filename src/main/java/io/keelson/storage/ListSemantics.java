package io.keelson.storage;

import org.jspecify.annotations.Nullable;

/**
 * What a list's resourceVersion, match, limit and continue token mean together, decided once for every Storage. See the
 * API concepts page, "The resourceVersion parameter".
 *
 * @param exactRevision the revision that the page must show, 0 where it may show a newer one
 * @param minimumRevision the oldest revision that it may show; -1 asks for the most recent state
 * @param startKey the first key of the page, null for the collection's first
 */
public record ListSemantics(
        long exactRevision, long minimumRevision, @Nullable String startKey) {
    private static final long MOST_RECENT = -1;

    /**
     * Decides.
     *
     * @throws StorageException.BadRequest where the options contradict each other
     */
    public static ListSemantics of(String collectionKey, ListOptions options) {
        Long asked = options.resourceVersion();
        if (!options.continueToken().isEmpty()) {
            if (asked != null && asked > 0) {
                throw new StorageException.BadRequest("specifying resource version is not allowed when using continue");
            }
            ContinueToken token = ContinueToken.decode(options.continueToken(), collectionKey);
            return token.revision() > 0
                    ? new ListSemantics(token.revision(), token.revision(), token.startKey())
                    : new ListSemantics(0, MOST_RECENT, token.startKey());
        }
        if (asked == null) {
            return new ListSemantics(0, MOST_RECENT, null);
        }
        boolean exact = switch (options.match()) {
            case EXACT -> true;
            case NOT_OLDER_THAN -> false;
            case UNSET -> asked > 0 && options.limit() > 0;
        };
        return exact ? new ListSemantics(asked, asked, null) : new ListSemantics(0, asked, null);
    }

    public boolean exact() {
        return exactRevision > 0;
    }

    /** Whether the page must show the state at the moment of the request. */
    public boolean mostRecent() {
        return minimumRevision == MOST_RECENT;
    }
}
