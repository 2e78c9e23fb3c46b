package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Turns objects from the version that they are stored in into another that they are served in, and back. What one of the two
 * cannot say must survive a way there and back, as in an annotation. {@code apiVersion} and {@code kind} are not its
 * business. Thread-safe.
 */
public interface VersionConverter {
    /** @param stored the converter's own to change and to return */
    ObjectNode fromStored(ObjectNode stored);

    /** @param served the converter's own to change and to return */
    ObjectNode toStored(ObjectNode served);
}
