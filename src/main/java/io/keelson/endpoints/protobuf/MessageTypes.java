package io.keelson.endpoints.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the built-in kinds, by name and by kind. They are read from a resource of some 85 KB when the first body
 * in protobuf comes. Immutable.
 *
 * <p>The resource has a line for each message, its name and the kinds that it is (as {@code apps/v1/Deployment}), and below
 * that a line for each field: its number, its name in JSON, and its type. {@code []} before a type makes a list, {@code {}}
 * a map, {@code =} marks a message that is inlined, {@code ?} after it one whose zero is a value.
 */
final class MessageTypes {
    private static final String RESOURCE = "/io/keelson/endpoints/protobuf/messages.txt";

    private static final String DELETE_OPTIONS = "DeleteOptions";

    private final Map<String, Map<Integer, Field>> fields = new HashMap<>();
    private final Map<String, String> kinds = new HashMap<>();

    private MessageTypes() {}

    private static final class Builtin {
        static final MessageTypes TYPES = read();
    }

    static MessageTypes builtin() {
        return Builtin.TYPES;
    }

    private static MessageTypes read() {
        try (InputStream in = MessageTypes.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the program");
            }
            var types = new MessageTypes();
            Map<Integer, Field> message = Map.of();
            var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (Character.isDigit(line.charAt(0))) {
                    Field field = Field.parse(line);
                    message.put(field.number(), field);
                } else {
                    message = types.begin(line.split(" "));
                }
            }
            return types;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<Integer, Field> begin(String[] words) {
        for (int i = 1; i < words.length; i++) {
            kinds.put(words[i], words[0]);
        }
        var message = new HashMap<Integer, Field>();
        fields.put(words[0], message);
        return message;
    }

    /** The fields of a message that another one names, by number. */
    Map<Integer, Field> fields(String message) {
        Map<Integer, Field> found = fields.get(message);
        if (found == null) {
            throw new IllegalArgumentException("There is no message " + message);
        }
        return found;
    }

    /** The message of a kind; null where the kind is not built in. Options of a deletion are the same in every group. */
    @Nullable
    String messageOf(String apiVersion, String kind) {
        return kinds.get((kind.equals(DELETE_OPTIONS) ? "v1" : apiVersion) + "/" + kind);
    }
}
