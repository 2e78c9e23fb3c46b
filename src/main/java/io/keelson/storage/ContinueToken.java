package io.keelson.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a paged list goes on. On the wire it is base64url of {@code {"v":"meta.k8s.io/v1","rv":7,"start":"ns/name\u0000"}},
 * as kube-apiserver writes it; clients must not look inside.
 *
 * @param revision the revision that all pages show; below 0 for a list that goes on at the latest one
 * @param startKey the first key of the page, inclusive, as a whole storage key
 */
public record ContinueToken(long revision, String startKey) {
    private static final String VERSION = "meta.k8s.io/v1";

    /** The token for the page after a key. */
    public static ContinueToken after(String key, long revision) {
        return new ContinueToken(revision, key + "\0");
    }

    public String encode(String collectionKey) {
        ObjectNode token = Json.object();
        token.put("v", VERSION);
        token.put("rv", revision);
        token.put("start", startKey.substring(collectionKey.length()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(token));
    }

    /**
     * Reads a token that this server gave out for a collection.
     *
     * @throws StorageException.BadRequest where it is none
     */
    public static ContinueToken decode(String text, String collectionKey) {
        JsonNode token;
        try {
            token = Json.parse(Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (IllegalArgumentException | BadJsonException e) {
            throw invalid("it is not a token that this server gave out");
        }
        long revision = token.path("rv").asLong();
        String start = token.path("start").asText();
        if (!VERSION.equals(token.path("v").asText())) {
            throw invalid("version " + token.path("v") + " is not known");
        }
        if (revision == 0) {
            throw invalid("it has no resourceVersion");
        }
        if (start.isEmpty()) {
            throw invalid("it has no start key");
        }
        for (String segment : start.replace("\0", "").split("/", -1)) {
            if (segment.equals("..") || segment.equals(".") || segment.isEmpty()) {
                throw invalid("its start key is not a path");
            }
        }
        return new ContinueToken(revision, collectionKey + start);
    }

    private static StorageException.BadRequest invalid(String why) {
        return new StorageException.BadRequest("invalid continue token: " + why + "; begin the list anew without it");
    }
}
