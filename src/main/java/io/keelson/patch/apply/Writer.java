package io.keelson.patch.apply;

import java.time.Instant;

/**
 * Who writes an object, and when.
 *
 * @param manager the field manager's name
 * @param apiVersion of the version that is written in, which may be another than the object is stored in
 * @param subresource the subresource that the write goes to, empty for the object itself
 */
public record Writer(String manager, String apiVersion, String subresource, Instant now) {}
