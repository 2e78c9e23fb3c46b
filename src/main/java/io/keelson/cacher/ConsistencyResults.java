package io.keelson.cacher;

/**
 * What comparisons of a cache with storage found.
 *
 * @param successes how many found no difference
 * @param failures how many found one
 * @param errors how many could not be made, as storage could not be read at that revision
 * @param difference the one that the last comparison found; empty where it found none
 */
public record ConsistencyResults(long successes, long failures, long errors, String difference) {}
