package io.keelson.api;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The JSON of an object in less memory: its length in four bytes, the highest first, and its bytes in zlib's form. The schemas of
 * definitions come to about a fifteenth. JSON of an object begins with a brace, and nothing that is packed is long enough to
 * do so. Stateless.
 */
final class Packed {
    private static final int LENGTH_BYTES = 4;

    /** How much smaller than its JSON a packed object is taken to be at first. */
    private static final int LIKELY_RATIO = 8;

    private Packed() {}

    /** Whether bytes are packed. */
    static boolean is(byte[] bytes) {
        return bytes[0] != '{';
    }

    static byte[] pack(byte[] json) {
        var out = new ByteArrayOutputStream(json.length / LIKELY_RATIO);
        for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
            out.write(json.length >>> shift);
        }
        try (var deflated = new DeflaterOutputStream(out)) {
            deflated.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** How long the JSON is. */
    static int length(byte[] packed) {
        int length = 0;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            length = (length << Byte.SIZE) | (packed[i] & 0xff);
        }
        return length;
    }

    /** The first bytes of the JSON. */
    static byte[] unpack(byte[] packed, int length) {
        var bytes = new ByteArrayInputStream(packed, LENGTH_BYTES, packed.length - LENGTH_BYTES);
        try (var in = new InflaterInputStream(bytes)) {
            var json = new byte[length];
            int read = in.readNBytes(json, 0, length);
            if (read < length) {
                throw new IllegalStateException("packed JSON ends after " + read + " of " + length + " bytes");
            }
            return json;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
