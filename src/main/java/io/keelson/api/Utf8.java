package io.keelson.api;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: what the JSON parser lets pass (overlong forms, encoded surrogates) is refused here. */
final class Utf8 {
    /** How much is decoded at a time when the text itself is not wanted, in characters. */
    private static final int CHUNK = 4096;

    /** The escape of U+FFFD, as long as any other. */
    private static final byte[] ESCAPE = "\\uFFFD".getBytes(StandardCharsets.US_ASCII);

    private Utf8() {}

    /** @throws BadJsonException where the bytes are no UTF-8 */
    static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            check(bytes);
            throw new BadJsonException("the body is not valid UTF-8", e);
        }
    }

    /**
     * A JSON body that is safe to parse: the same bytes, or a copy in which escapes of half a surrogate pair name U+FFFD.
     *
     * @throws BadJsonException where the bytes are no UTF-8, with the line
     */
    static byte[] checked(byte[] json) {
        boolean ascii = true;
        boolean surrogates = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            ascii &= b >= 0;
            if (b == '\\') {
                surrogates |= surrogate(json, i) != 0;
                i++;
                ascii &= i == json.length || json[i] >= 0;
            }
        }
        if (!ascii) {
            check(json);
        }
        return surrogates ? replaceLoneSurrogates(json) : json;
    }

    private static byte[] replaceLoneSurrogates(byte[] json) {
        byte[] out = json.clone();
        for (int i = 0; i < out.length; i++) {
            if (out[i] != '\\') {
                continue;
            }
            char half = surrogate(out, i);
            if (half == 0) {
                i++;
            } else if (Character.isSurrogatePair(half, surrogate(out, i + ESCAPE.length))) {
                i += 2 * ESCAPE.length - 1;
            } else {
                System.arraycopy(ESCAPE, 0, out, i, ESCAPE.length);
                i += ESCAPE.length - 1;
            }
        }
        return out;
    }

    /** The surrogate that a JSON escape at an offset names, or 0 where there is none. */
    private static char surrogate(byte[] json, int at) {
        if (at + ESCAPE.length > json.length
                || json[at] != '\\'
                || json[at + 1] != 'u'
                || (json[at + 2] | 0x20) != 'd') {
            return 0;
        }
        int code = 0;
        for (int i = at + 2; i < at + ESCAPE.length; i++) {
            int digit = json[i] < 0 ? -1 : Character.digit((char) json[i], 16);
            if (digit < 0) {
                return 0;
            }
            code = code << 4 | digit;
        }
        return Character.isSurrogate((char) code) ? (char) code : 0;
    }

    /** @throws BadJsonException where the bytes are no UTF-8, with the line */
    static void check(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(Math.min(CHUNK, bytes.length + 1));
        var decoder = StandardCharsets.UTF_8.newDecoder();
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isError()) {
                throw new BadJsonException("the body is not valid UTF-8 at line " + line(bytes, in.position()), null);
            }
            if (result.isUnderflow()) {
                return;
            }
            out.clear();
        }
    }

    static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
                if (!pair) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static int line(byte[] bytes, int end) {
        int line = 1;
        for (int i = 0; i < end; i++) {
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return line;
    }
}
