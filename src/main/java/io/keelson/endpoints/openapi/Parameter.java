package io.keelson.endpoints.openapi;

/**
 * A parameter of an operation.
 *
 * @param in {@code path} or {@code query}
 * @param type string, boolean or integer
 */
record Parameter(String name, String in, String type) {
    static Parameter path(String name) {
        return new Parameter(name, "path", "string");
    }

    static Parameter query(String name, String type) {
        return new Parameter(name, "query", type);
    }

    boolean required() {
        return in.equals("path");
    }
}
