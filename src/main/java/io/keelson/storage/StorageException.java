package io.keelson.storage;

import org.jspecify.annotations.Nullable;

/**
 * What may go wrong in a {@link Storage}. The kinds are closed, so that the one mapper to HTTP answers covers them all.
 */
public abstract sealed class StorageException extends RuntimeException {
    private StorageException(String message, @Nullable Throwable cause, boolean trace) {
        super(message, cause, false, trace);
    }

    private StorageException(String message) {
        this(message, null, false);
    }

    /** There is no object at the key. */
    public static final class KeyNotFound extends StorageException {
        public KeyNotFound(String key) {
            super("key not found: " + key);
        }
    }

    /** There is an object at the key already. */
    public static final class KeyExists extends StorageException {
        public KeyExists(String key) {
            super("key exists: " + key);
        }
    }

    /** A precondition does not hold; the message says which. */
    public static final class InvalidObject extends StorageException {
        public InvalidObject(String message) {
            super(message);
        }
    }

    /** The request itself is wrong: a bad key, a continue token that is none, an object to create that has a version. */
    public static final class BadRequest extends StorageException {
        public BadRequest(String message) {
            super(message);
        }
    }

    /** A revision was asked for that is not reached yet, and was not reached in time. */
    public static final class TooLargeResourceVersion extends StorageException {
        private final long asked;
        private final long current;

        public TooLargeResourceVersion(long asked, long current) {
            super("Too large resource version: " + asked + ", current: " + current);
            this.asked = asked;
            this.current = current;
        }

        public long asked() {
            return asked;
        }

        public long current() {
            return current;
        }
    }

    /** A revision was asked for whose history is gone. */
    public static final class Expired extends StorageException {
        private final String inconsistentContinue;

        public Expired(String message) {
            this(message, "");
        }

        /**
         * @param inconsistentContinue a token that goes on from the same key at the latest revision; empty where there
         *     is no page to go on from
         */
        public Expired(String message, String inconsistentContinue) {
            super(message);
            this.inconsistentContinue = inconsistentContinue;
        }

        public String inconsistentContinue() {
            return inconsistentContinue;
        }
    }

    /** The cache is not ready to answer; the client is to come back. */
    public static final class NotReady extends StorageException {
        private final int retryAfterSeconds;

        public NotReady(String message, int retryAfterSeconds) {
            super(message);
            this.retryAfterSeconds = retryAfterSeconds;
        }

        public int retryAfterSeconds() {
            return retryAfterSeconds;
        }
    }

    /** The store cannot be reached or cannot write now. Nothing was changed. */
    public static final class Unreachable extends StorageException {
        public Unreachable(String message, @Nullable Throwable cause) {
            super(message, cause, false);
        }
    }

    /** The store did not answer in time. A read had no effect; see {@link UnknownOutcome} for writes. */
    public static final class Timeout extends StorageException {
        public Timeout(String message, @Nullable Throwable cause) {
            super(message, cause, false);
        }
    }

    /** A write was sent and no answer came: it may have happened or not. */
    public static final class UnknownOutcome extends StorageException {
        public UnknownOutcome(String message, @Nullable Throwable cause) {
            super(message, cause, false);
        }
    }

    /** The store gave something that is no object, or failed in a way that no caller can mend. */
    public static final class Internal extends StorageException {
        public Internal(String message, @Nullable Throwable cause) {
            super(message, cause, true);
        }
    }
}
