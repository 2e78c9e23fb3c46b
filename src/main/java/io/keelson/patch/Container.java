package io.keelson.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An object or array that a pointer's token steps into, with the rules of each for that token. */
sealed interface Container {
    /** Longer indexes exceed every array. */
    int MAX_INDEX_DIGITS = 9;

    static Container of(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> new Fields(object);
            case ArrayNode array -> new Items(array);
            default -> throw new PatchFailure("the path leads through what is missing or no container");
        };
    }

    /** The value, or a missing node where an object has no such field. */
    JsonNode get(String token);

    /** Inserts into an array, sets a field of an object. */
    void add(String token, JsonNode value);

    /** Sets an array's item that exists, or a field. */
    void set(String token, JsonNode value);

    JsonNode remove(String token);

    /** The fields of an object. */
    record Fields(ObjectNode object) implements Container {
        @Override
        public JsonNode get(String token) {
            JsonNode value = object.get(token);
            return value == null ? MissingNode.getInstance() : value;
        }

        @Override
        public void add(String token, JsonNode value) {
            object.set(token, value);
        }

        @Override
        public void set(String token, JsonNode value) {
            object.set(token, value);
        }

        @Override
        public JsonNode remove(String token) {
            JsonNode removed = object.remove(token);
            if (removed == null) {
                throw new PatchFailure("no field \"" + token + "\" to remove");
            }
            return removed;
        }
    }

    /** The items of an array. */
    record Items(ArrayNode array) implements Container {
        @Override
        public JsonNode get(String token) {
            return array.get(index(token, array.size()));
        }

        @Override
        public void add(String token, JsonNode value) {
            int end = array.size();
            array.insert(token.equals("-") ? end : index(token, end + 1), value);
        }

        @Override
        public void set(String token, JsonNode value) {
            array.set(index(token, array.size()), value);
        }

        @Override
        public JsonNode remove(String token) {
            return array.remove(index(token, array.size()));
        }

        /** Digits without leading zeros, as RFC 6901 has them: no sign, so no counting from the end. */
        private static int index(String token, int bound) {
            boolean digits = !token.isEmpty() && token.chars().allMatch(c -> c >= '0' && c <= '9');
            if (!digits || token.length() > MAX_INDEX_DIGITS || (token.length() > 1 && token.startsWith("0"))) {
                throw new PatchFailure("\"" + token + "\" is no array index");
            }
            int index = Integer.parseInt(token);
            if (index >= bound) {
                throw new PatchFailure("index " + index + " is beyond the array");
            }
            return index;
        }
    }
}
