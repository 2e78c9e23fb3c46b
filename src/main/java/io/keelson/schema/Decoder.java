package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.keelson.api.GroupVersionKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Takes an object that a client sent for what its schema says that it is, in one walk: values must be of their fields'
 * types, fields that there are not are dropped and told of, times, quantities and bytes are brought into the form in which
 * they are stored. What a field's value means is judged elsewhere. One use an object.
 *
 * <p>It does as kube-apiserver does by decoding bodies into typed structures: an absent value and {@code null} are the same
 * in a field, while {@code null} as a map's value or a list's item is the empty value of its type.
 */
public final class Decoder {
    /** How many unknown and duplicate fields are told of; all are dropped. */
    private static final int MAX_TOLD = 100;

    private static final String MICRO_TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";

    private static final Schema METADATA = Objects.requireNonNull(
            Objects.requireNonNull(BuiltinSchemas.of(new GroupVersionKind("", "v1", "ConfigMap")))
                    .field("metadata"));

    private final Collection<String> duplicates;
    private final FieldPath path = new FieldPath();
    private final List<String> told = new ArrayList<>(0);

    private Decoder(Collection<String> duplicates) {
        this.duplicates = duplicates;
    }

    /**
     * Brings an object into the form of its schema.
     *
     * @param duplicates the paths of fields that the body gave more than once
     * @return what a strict reader would not take, such as {@code unknown field "spec.replica"}, in the object's order
     * @throws MalformedObjectException at the first value of a wrong type or form
     */
    public static List<String> decode(Schema schema, ObjectNode object, Collection<String> duplicates) {
        var decoder = new Decoder(duplicates);
        decoder.value(schema, object);
        return decoder.told;
    }

    /**
     * The same for the metadata of an object whose other fields are for someone else to judge.
     *
     * @return the unknown fields, as {@link #decode} tells them
     * @throws MalformedObjectException at the first value of a wrong type or form
     */
    public static List<String> decodeMetadata(ObjectNode object) {
        var decoder = new Decoder(List.of());
        JsonNode metadata = object.path("metadata");
        if (!metadata.isMissingNode() && !metadata.isNull()) {
            decoder.path.enter(METADATA, "metadata");
            decoder.value(METADATA, metadata);
        }
        return decoder.told;
    }

    private void fields(Schema schema, ObjectNode object) {
        Map<String, Schema> properties = schema.properties();
        Schema values = schema.additionalProperties();
        for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            Schema property = properties.get(field.getKey());
            Schema type = property == null ? values : property;
            path.enter(schema, field.getKey());
            if (type == null) {
                tell("unknown");
                fields.remove();
            } else {
                JsonNode given = field.getValue();
                if (!given.isNull() || property == null) {
                    field.setValue(value(type, given));
                }
                if (!duplicates.isEmpty() && duplicates.contains(path.toString())) {
                    tell("duplicate");
                }
            }
            path.leave();
        }
    }

    private void tell(String what) {
        if (told.size() < MAX_TOLD) {
            told.add(what + " field \"" + path + "\"");
        }
    }

    private JsonNode value(Schema type, JsonNode given) {
        if (given.isNull()) {
            return emptyOf(type, given);
        }
        return switch (type.type()) {
            case OBJECT -> object(type, given);
            case ARRAY -> array(type, given);
            case STRING -> text(type, given);
            case INTEGER -> integer(type, given);
            case NUMBER -> checked(given.isNumber(), type, given);
            case BOOLEAN -> checked(given.isBoolean(), type, given);
            case INT_OR_STRING -> given.isTextual() ? given : integer(type, given);
            case QUANTITY -> Scalars.quantity(checked(given.isTextual() || given.isNumber(), type, given));
            case ANY -> given;
        };
    }

    private JsonNode object(Schema type, JsonNode given) {
        if (!type.preservesUnknownFields()) {
            fields(type, (ObjectNode) checked(given.isObject(), type, given));
        }
        return given;
    }

    private JsonNode array(Schema type, JsonNode given) {
        var array = (ArrayNode) checked(given.isArray(), type, given);
        Schema items = type.items();
        if (items != null) {
            for (int i = 0; i < array.size(); i++) {
                path.enter(type, i);
                array.set(i, value(items, array.path(i)));
                path.leave();
            }
        }
        return array;
    }

    private JsonNode text(Schema type, JsonNode given) {
        checked(given.isTextual(), type, given);
        return switch (type.format()) {
            case "byte" -> Scalars.base64(given);
            case "date-time" -> Scalars.time(given, type.name().equals(MICRO_TIME));
            default -> given;
        };
    }

    private JsonNode integer(Schema type, JsonNode given) {
        boolean fits = type.format().equals("int64") ? given.canConvertToLong() : given.canConvertToInt();
        return checked(given.isIntegralNumber() && fits, type, given);
    }

    /** What {@code null} stands for where a value has to be. */
    private static JsonNode emptyOf(Schema type, JsonNode given) {
        return switch (type.type()) {
            case OBJECT -> JsonNodeFactory.instance.objectNode();
            case ARRAY -> JsonNodeFactory.instance.arrayNode();
            case STRING -> type.format().equals("date-time") ? given : TextNode.valueOf("");
            case QUANTITY -> TextNode.valueOf("0");
            case INTEGER, NUMBER, INT_OR_STRING -> IntNode.valueOf(0);
            case BOOLEAN -> BooleanNode.FALSE;
            case ANY -> given;
        };
    }

    /** Ends the walk where a value is not of its type, with the words by which kube-apiserver's decoder does. */
    private JsonNode checked(boolean fits, Schema type, JsonNode given) {
        if (fits) {
            return given;
        }
        String value = switch (given.getNodeType()) {
            case BOOLEAN -> "bool";
            case ARRAY -> "array";
            case OBJECT -> "object";
            case NUMBER -> type.type() == Schema.Type.INTEGER ? "number " + given.asText() : "number";
            default -> "string";
        };
        throw new MalformedObjectException("json: cannot unmarshal " + value + " into Go struct field "
                + path.innermostType() + "." + path + " of type " + typeName(type));
    }

    private static String typeName(Schema type) {
        return switch (type.type()) {
            case STRING -> type.format().equals("byte") ? "[]uint8" : "string";
            case INTEGER -> type.format().equals("int64") ? "int64" : "int32";
            case NUMBER -> "float64";
            case BOOLEAN -> "bool";
            case ARRAY -> "[]" + (type.items() == null ? "interface {}" : typeName(type.items()));
            case OBJECT, INT_OR_STRING, QUANTITY, ANY -> objectName(type);
        };
    }

    private static String objectName(Schema type) {
        Schema values = type.additionalProperties();
        if (values != null) {
            return "map[string]" + typeName(values);
        }
        String name = type.name();
        return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    }
}
