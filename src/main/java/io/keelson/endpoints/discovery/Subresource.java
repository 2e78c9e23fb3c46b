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
}
