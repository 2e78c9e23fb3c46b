package io.keelson.registry;

import java.util.random.RandomGenerator;

/** Names from a prefix: {@code web-} becomes {@code web-x7k2p}. Thread-safe where its source of randomness is. */
final class GeneratedNames {
    /** How long a name that is generated may be, in characters, so that labels can hold it. */
    private static final int MAX_LENGTH = 63;

    private static final int SUFFIX_LENGTH = 5;

    /** No vowels and nothing that looks like another character, so that no word comes out. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private final RandomGenerator random;

    GeneratedNames(RandomGenerator random) {
        this.random = random;
    }

    String generate(String prefix) {
        int keep = Math.min(prefix.length(), MAX_LENGTH - SUFFIX_LENGTH);
        var name = new StringBuilder(prefix.substring(0, keep));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
