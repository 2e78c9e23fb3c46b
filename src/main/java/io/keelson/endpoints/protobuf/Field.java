package io.keelson.endpoints.protobuf;

/**
 * One field of a message.
 *
 * @param name the field's name in JSON
 * @param keepsZero whether an empty value that was sent is one that was set: the field can be absent on the wire, so its
 *     presence tells. All others are always on the wire, and their empty value means that nothing was set
 * @param message the message that a value is; empty for the other shapes
 */
record Field(int number, String name, Arity arity, Shape shape, boolean keepsZero, String message) {
    /** How many values a field has. */
    enum Arity {
        ONE,
        LIST,
        /** Values by text keys; on the wire a list of messages of a key and a value. */
        MAP
    }

    /** What a value is. */
    enum Shape {
        STRING,
        INT,
        BOOL,
        DOUBLE,
        BYTES,
        /** Bytes that are a document themselves. */
        RAW,
        MESSAGE,
        /** A message whose fields stand in JSON among those of the message that holds it. */
        INLINE;

        /** Whether a list of values may come packed into one. */
        boolean packable() {
            return this == INT || this == BOOL || this == DOUBLE;
        }
    }

    /** Reads a line of {@link MessageTypes}. */
    static Field parse(String line) {
        String[] words = line.split(" ");
        String type = words[2];
        Arity arity = type.startsWith("[]") ? Arity.LIST : type.startsWith("{}") ? Arity.MAP : Arity.ONE;
        type = arity == Arity.ONE ? type : type.substring(2);
        boolean keepsZero = type.endsWith("?");
        type = keepsZero ? type.substring(0, type.length() - 1) : type;
        Shape shape = switch (type) {
            case "string" -> Shape.STRING;
            case "int" -> Shape.INT;
            case "bool" -> Shape.BOOL;
            case "double" -> Shape.DOUBLE;
            case "bytes" -> Shape.BYTES;
            case "raw" -> Shape.RAW;
            default -> type.startsWith("=") ? Shape.INLINE : Shape.MESSAGE;
        };
        String message = shape == Shape.INLINE ? type.substring(1) : shape == Shape.MESSAGE ? type : "";
        return new Field(Integer.parseInt(words[0]), words[1], arity, shape, keepsZero, message);
    }
}
