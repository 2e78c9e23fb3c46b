package io.keelson.endpoints.output;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A document that many clients ask for and that seldom changes, ready to be sent: compressed, with a hash of its content.
 * Immutable.
 *
 * @param contentType what to send as Content-Type
 * @param hash of the content or of what it was made of, in upper-case hexadecimal digits
 * @param gzip the compressed content; not to be changed
 */
public record Document(String contentType, String hash, byte[] gzip) {
    /** Takes uncompressed content. */
    public static Document of(String contentType, byte[] content) {
        return new Document(contentType, hash(content), compress(content));
    }

    /**
     * Takes uncompressed content that is known by what it was made of.
     *
     * @param origin other content is made of another one
     */
    public static Document of(String contentType, byte[] content, String origin) {
        return new Document(contentType, hashOf(origin), compress(content));
    }

    /** The hash of a document that is known by what it was made of. */
    public static String hashOf(String origin) {
        return hash(origin.getBytes(StandardCharsets.UTF_8));
    }

    /** The entity tag of the content, with its quotes. */
    public String etag() {
        return "\"" + hash + "\"";
    }

    /** Whether an If-None-Match header names this content, so that 304 is the answer. */
    public boolean matches(String ifNoneMatch) {
        for (String tag : ifNoneMatch.split(",")) {
            String bare = tag.strip();
            if (bare.equals("*") || bare.equals(etag()) || bare.equals("W/" + etag())) {
                return true;
            }
        }
        return false;
    }

    /** The content, uncompressed. */
    public byte[] content() {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] compress(byte[] content) {
        var out = new ByteArrayOutputStream(content.length / 8 + 64);
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest).toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
