package io.keelson.storage;

/** How a list's resourceVersion is meant. {@link #UNSET} is the meaning from before the parameter existed. */
public enum ResourceVersionMatch {
    UNSET,
    EXACT,
    NOT_OLDER_THAN
}
