package io.keelson.storage;

/** The form of storage keys: absolute paths without empty or dot segments. A key that ends with a slash names a collection. */
public final class Keys {
    private Keys() {}

    /**
     * Checks a key.
     *
     * @throws StorageException.BadRequest where it could reach outside the resource's part of the store
     */
    public static String check(String key, String resourcePrefix) {
        if (!key.startsWith(resourcePrefix)) {
            throw new StorageException.BadRequest("invalid key: " + key + " is not below " + resourcePrefix);
        }
        int start = 1;
        for (int i = 1; i <= key.length(); i++) {
            if (i == key.length() || key.charAt(i) == '/') {
                int length = i - start;
                boolean dots = length <= 2 && length > 0 && key.charAt(start) == '.' && key.charAt(i - 1) == '.';
                boolean empty = length == 0 && i < key.length();
                if (dots || empty) {
                    throw new StorageException.BadRequest("invalid key: " + key);
                }
                start = i + 1;
            }
        }
        return key;
    }

    public static boolean isCollection(String key) {
        return key.endsWith("/");
    }

    /** The first key after all keys that begin with a prefix. The prefix ends with a character below U+FFFF. */
    public static String endOf(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }
}
