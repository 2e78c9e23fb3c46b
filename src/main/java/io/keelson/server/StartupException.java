package io.keelson.server;

import org.jspecify.annotations.Nullable;

/** The server cannot start. The message tells whoever started it what to do. */
final class StartupException extends RuntimeException {
    /** A setting is wrong or missing. */
    static final int BAD_SETTING = 2;

    /** The address is taken or cannot be listened on. */
    static final int PORT_TAKEN = 3;

    /** Another process works on the data folder. */
    static final int DATA_LOCKED = 4;

    private final int exitCode;

    StartupException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
