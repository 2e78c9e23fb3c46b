package io.keelson.api;

/** What a watch event tells. The constants' names are the wire form. */
public enum WatchEventType {
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK,
    ERROR
}
