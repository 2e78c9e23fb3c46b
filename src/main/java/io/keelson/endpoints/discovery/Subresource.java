package io.keelson.endpoints.discovery;

import io.keelson.api.GroupVersionKind;
import java.util.List;

/**
 * A part of an object that has a path of its own.
 *
 * @param name the last segment of its path, such as {@code status}
 * @param kind of what is read from and written to it
 * @param verbs in alphabetical order
 */
public record Subresource(String name, GroupVersionKind kind, List<String> verbs) {
    public Subresource {
        verbs = List.copyOf(verbs);
    }

    /** Whether it connects clients to what runs: its kind is that of the options of a connection, not of an object. */
    public boolean connects() {
        return kind.kind().endsWith("Options");
    }
}
