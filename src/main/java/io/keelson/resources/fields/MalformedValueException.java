package io.keelson.resources.fields;

/** A value that is not of its field's form, so that the object cannot be read at all; the message is for the sender. */
public final class MalformedValueException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedValueException(String message) {
        super(message, null, false, false);
    }
}
