package io.keelson.schema;

/** A value that is not of its field's type or form, so that the object cannot be read at all; the message is for the sender. */
public final class MalformedObjectException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedObjectException(String message) {
        super(message, null, false, false);
    }
}
