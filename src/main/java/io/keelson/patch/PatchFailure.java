package io.keelson.patch;

/** A JSON patch that does not apply to its document, and why. */
final class PatchFailure extends RuntimeException {
    PatchFailure(String message) {
        super(message, null, false, false);
    }
}
