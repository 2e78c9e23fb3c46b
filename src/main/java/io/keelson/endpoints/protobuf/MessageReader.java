package io.keelson.endpoints.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of the built-in kinds into trees. Messages nest at most {@link Json#MAX_DEPTH} levels deep, documents
 * inside of them included. Used by one thread.
 */
final class MessageReader {
    private static final int MAP_KEY = 1;
    private static final int MAP_VALUE = 2;

    private final MessageTypes types;
    private final CodedInputStream in;

    MessageReader(MessageTypes types, byte[] bytes) {
        this.types = types;
        this.in = CodedInputStream.newInstance(bytes);
    }

    /** Reads the fields that are left, up to the end or the limit, into an object. */
    void read(String message, ObjectNode into) throws IOException {
        read(message, into, 1);
    }

    private void read(String message, ObjectNode into, int depth) throws IOException {
        if (depth > Json.MAX_DEPTH) {
            throw tooDeep();
        }
        Map<Integer, Field> fields = types.fields(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            Field field = fields.get(WireFormat.getTagFieldNumber(tag));
            if (field == null) {
                skip(tag);
            } else {
                readField(field, WireFormat.getTagWireType(tag), into, depth);
            }
        }
    }

    private void skip(int tag) throws IOException {
        if (!in.skipField(tag)) {
            throw new BadJsonException("a group ends that did not begin", null);
        }
    }

    private void readField(Field field, int wireType, ObjectNode into, int depth) throws IOException {
        switch (field.arity()) {
            case ONE -> readOne(field, wireType, into, depth);
            case LIST -> readItems(field, wireType, into.withArrayProperty(field.name()), depth);
            case MAP -> readEntry(field, wireType, into.withObjectProperty(field.name()), depth);
        }
    }

    private void readOne(Field field, int wireType, ObjectNode into, int depth) throws IOException {
        if (field.shape() == Field.Shape.INLINE) {
            readBounded(field, wireType, into, depth);
            return;
        }
        // A message that comes in parts is the sum of them.
        JsonNode before = into.get(field.name());
        JsonNode value = value(field, wireType, before instanceof ObjectNode object ? object : null, depth);
        if (value.isNull() || (isZero(value, field) && !field.keepsZero())) {
            into.remove(field.name());
        } else {
            into.set(field.name(), value);
        }
    }

    private static boolean isZero(JsonNode value, Field field) {
        if (field.shape() == Field.Shape.MESSAGE && !field.message().equals(WellKnown.INT_OR_STRING)) {
            return false;
        }
        return switch (value) {
            case TextNode text -> text.textValue().isEmpty();
            case BooleanNode truth -> !truth.booleanValue();
            default -> value.isNumber() && value.doubleValue() == 0;
        };
    }

    private void readItems(Field field, int wireType, ArrayNode into, int depth) throws IOException {
        if (wireType != WireFormat.WIRETYPE_LENGTH_DELIMITED || !field.shape().packable()) {
            into.add(value(field, wireType, null, depth));
            return;
        }
        int outer = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
            into.add(value(field, wireTypeOf(field), null, depth));
        }
        in.popLimit(outer);
    }

    private void readEntry(Field field, int wireType, ObjectNode into, int depth) throws IOException {
        expect(WireFormat.WIRETYPE_LENGTH_DELIMITED, wireType, field);
        int outer = in.pushLimit(in.readRawVarint32());
        String key = "";
        JsonNode value = null;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int type = WireFormat.getTagWireType(tag);
            switch (WireFormat.getTagFieldNumber(tag)) {
                case MAP_KEY -> {
                    expect(WireFormat.WIRETYPE_LENGTH_DELIMITED, type, field);
                    key = in.readStringRequireUtf8();
                }
                case MAP_VALUE -> value = value(field, type, null, depth + 1);
                default -> skip(tag);
            }
        }
        in.popLimit(outer);
        into.set(key, value == null ? absent(field) : value);
    }

    /** What a map's entry has that names no value. */
    private static JsonNode absent(Field field) {
        if (field.shape() != Field.Shape.MESSAGE) {
            return TextNode.valueOf("");
        }
        ObjectNode none = Json.object();
        JsonNode converted = WellKnown.convert(field.message(), none, true);
        return converted == null ? none : converted;
    }

    private JsonNode value(Field field, int wireType, @Nullable ObjectNode before, int depth) throws IOException {
        expect(wireTypeOf(field), wireType, field);
        return switch (field.shape()) {
            case STRING -> TextNode.valueOf(in.readStringRequireUtf8());
            case INT -> number(in.readInt64());
            case BOOL -> BooleanNode.valueOf(in.readBool());
            case DOUBLE -> number(in.readDouble());
            case BYTES -> TextNode.valueOf(Base64.getEncoder().encodeToString(in.readByteArray()));
            case RAW -> BinaryNode.valueOf(in.readByteArray());
            case MESSAGE, INLINE -> {
                ObjectNode message = before == null ? Json.object() : before;
                boolean empty = readBounded(field, wireType, message, depth) == 0;
                JsonNode converted = WellKnown.convert(field.message(), message, empty);
                if (converted != null) {
                    checkDepth(converted, depth + 1);
                }
                yield converted == null ? message : converted;
            }
        };
    }

    /** Reads a message that says how long it is; gives that length in bytes. */
    private int readBounded(Field field, int wireType, ObjectNode into, int depth) throws IOException {
        expect(WireFormat.WIRETYPE_LENGTH_DELIMITED, wireType, field);
        int length = in.readRawVarint32();
        int outer = in.pushLimit(length);
        read(field.message(), into, depth + 1);
        in.popLimit(outer);
        return length;
    }

    private static JsonNode number(long value) {
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    private static JsonNode number(double value) {
        if (!Double.isFinite(value)) {
            throw new BadJsonException("a number is infinite or none at all", null);
        }
        return value == (long) value ? number((long) value) : DecimalNode.valueOf(BigDecimal.valueOf(value));
    }

    private static int wireTypeOf(Field field) {
        return switch (field.shape()) {
            case INT, BOOL -> WireFormat.WIRETYPE_VARINT;
            case DOUBLE -> WireFormat.WIRETYPE_FIXED64;
            case STRING, BYTES, RAW, MESSAGE, INLINE -> WireFormat.WIRETYPE_LENGTH_DELIMITED;
        };
    }

    private static void expect(int expected, int wireType, Field field) {
        if (wireType != expected) {
            throw new BadJsonException("field " + field.name() + " is of another type", null);
        }
    }

    private static void checkDepth(JsonNode node, int depth) {
        if (depth > Json.MAX_DEPTH) {
            throw tooDeep();
        }
        for (JsonNode child : node) {
            checkDepth(child, depth + 1);
        }
    }

    private static BadJsonException tooDeep() {
        return new BadJsonException("it nests deeper than " + Json.MAX_DEPTH + " levels", null);
    }
}
