package io.keelson.api;

import org.jspecify.annotations.Nullable;

/** A body that is not the JSON, YAML or protobuf it says it is. Its message is for the sender. */
public final class BadJsonException extends RuntimeException {
    public BadJsonException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
