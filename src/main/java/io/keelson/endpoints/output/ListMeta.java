package io.keelson.endpoints.output;

import io.keelson.api.Json;
import io.keelson.storage.ListResult;

/**
 * The metadata of a list or table.
 *
 * @param resourceVersion of the list; 0 leaves it out
 * @param continueToken where the next page begins; empty on the last page
 * @param remainingItemCount how many items follow this page; 0 and less leave it out
 */
public record ListMeta(long resourceVersion, String continueToken, long remainingItemCount) {
    /** The metadata of a page as storage gave it. */
    public static ListMeta of(ListResult page) {
        Long remaining = page.remainingItemCount();
        return new ListMeta(page.resourceVersion(), page.continueToken(), remaining == null ? 0 : remaining);
    }

    /** The metadata of something whole. */
    public static ListMeta at(long resourceVersion) {
        return new ListMeta(resourceVersion, "", 0);
    }

    /** Appends this as a JSON object. */
    void writeTo(StringBuilder out) {
        writeTo(out, false);
    }

    /** @param tellsLast whether the last page says that it is, as lists of custom resources do in kube-apiserver */
    void writeTo(StringBuilder out, boolean tellsLast) {
        out.append('{');
        if (resourceVersion > 0) {
            out.append("\"resourceVersion\":\"").append(resourceVersion).append('"');
        }
        if (tellsLast || !continueToken.isEmpty()) {
            separate(out).append("\"continue\":");
            Json.quote(out, continueToken);
        }
        if (remainingItemCount > 0) {
            separate(out).append("\"remainingItemCount\":").append(remainingItemCount);
        }
        out.append('}');
    }

    private static StringBuilder separate(StringBuilder out) {
        return out.charAt(out.length() - 1) == '{' ? out : out.append(',');
    }
}
