package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A column of a kind's table, as {@code kubectl get} shows it.
 *
 * @param type an OpenAPI type: string, integer, number, boolean or date
 * @param format an OpenAPI format or {@code name}; may be empty
 * @param priority 0 always shows, 1 with {@code -o wide}
 */
public record Column(String name, String type, String format, String description, int priority, Cell cell) {
    /** Reads a cell from an object: a text, a number, a truth value or null. */
    @FunctionalInterface
    public interface Cell {
        @Nullable
        Object read(ObjectNode object, Instant now);
    }

    public static Column of(String name, String type, String description, Cell cell) {
        return new Column(name, type, "", description, 0, cell);
    }

    /** A column that only {@code -o wide} shows. */
    public static Column wide(String name, String type, String description, Cell cell) {
        return new Column(name, type, "", description, 1, cell);
    }

    /** The column with the object's name that every table begins with. */
    public static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            "The object's name, unique among the objects of its kind in its namespace.",
            0,
            (object, now) -> object.path("metadata").path("name").asText());

    /** How long ago the object was made. */
    public static final Column AGE = of(
            "Age",
            "string",
            "How long ago the object was created.",
            (object, now) ->
                    Ages.since(object.path("metadata").path("creationTimestamp").asText(), now));
}
