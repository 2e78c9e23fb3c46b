package io.keelson.storage;

import io.keelson.api.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param resourceVersion the revision that the page shows
 * @param continueToken where the next page starts, empty after the last
 * @param remainingItemCount how many items follow this page; null where a selector makes it unknown or nothing follows
 */
public record ListResult(
        List<ApiObject> items,
        long resourceVersion,
        String continueToken,
        @Nullable Long remainingItemCount) {}
