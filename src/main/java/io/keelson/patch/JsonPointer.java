package io.keelson.patch;

import java.util.ArrayList;
import java.util.List;

/** A JSON pointer (RFC 6901) that names something below the root of a document: its unescaped tokens, at least one. */
record JsonPointer(List<String> tokens) {
    JsonPointer {
        tokens = List.copyOf(tokens);
    }

    /** Parses a pointer's text, which is not the root's empty one. */
    static JsonPointer parse(String text) {
        if (!text.startsWith("/")) {
            throw new PatchFailure("path \"" + text + "\" does not begin with a slash");
        }
        var tokens = new ArrayList<String>();
        int start = 1;
        for (int end = text.indexOf('/', start); end >= 0; end = text.indexOf('/', start)) {
            tokens.add(unescape(text.substring(start, end)));
            start = end + 1;
        }
        tokens.add(unescape(text.substring(start)));
        return new JsonPointer(tokens);
    }

    /** The order matters: {@code ~01} is {@code ~1}, not a slash. */
    private static String unescape(String token) {
        return token.indexOf('~') < 0 ? token : token.replace("~1", "/").replace("~0", "~");
    }

    String last() {
        return tokens.getLast();
    }

    /** How many containers lie around what this names. */
    int depth() {
        return tokens.size();
    }
}
