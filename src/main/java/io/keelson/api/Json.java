package io.keelson.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The JSON codec: parsing of untrusted bodies into trees with bounds, and the canonical writing of objects. Stateless and
 * thread-safe.
 */
public final class Json {
    /** How deep a body may nest, in levels. kube-apiserver's own decoder stops at 10,000; real objects stay under 30. */
    public static final int MAX_DEPTH = 500;

    /** The longest number in a body, in characters. */
    static final int MAX_NUMBER_LENGTH = 100;

    /** The longest string in a body, in characters: any that fits the largest body. */
    private static final int MAX_STRING_LENGTH = 16 * 1024 * 1024;

    /** Top-level fields that every written object begins with, so that readers find the metadata early. */
    private static final List<String> LEADING = List.of("apiVersion", "kind", "metadata");

    private static final Pattern LIMIT_SOURCE = Pattern.compile(",? from `[^`]*`");

    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxStringLength(MAX_STRING_LENGTH)
                    .build())
            .build();

    private static final ObjectMapper MAPPER = new ObjectMapper(FACTORY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);
    private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);
    private static final ObjectReader PART_READER = READER.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final ObjectReader STRICT_READER = READER.with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    private static final ObjectWriter WRITER = MAPPER.writer();
    private static final ObjectWriter PRETTY = MAPPER.writer(new KubernetesPrettyPrinter());

    private Json() {}

    /** A new, empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Parses one JSON document from an untrusted body. A key given twice, a document that nests deeper than
     * {@link #MAX_DEPTH}, bad UTF-8 and trailing text are errors. An escape that names half of a surrogate pair, which no
     * encoding can carry, becomes U+FFFD, as it does in kube-apiserver.
     *
     * @throws BadJsonException with words for the sender
     */
    public static JsonNode parse(byte[] body) {
        return read(STRICT_READER, Utf8.checked(body));
    }

    /**
     * Parses one JSON document from an untrusted body as {@link #parse(byte[])} does, but takes keys that are given more than
     * once: the last value counts, and objects are merged, as kube-apiserver's decoder has it.
     *
     * @param duplicates is told the path of each such key, such as {@code data.a}
     * @throws BadJsonException with words for the sender
     */
    public static JsonNode parse(byte[] body, Consumer<String> duplicates) {
        try {
            return parse(body);
        } catch (BadJsonException e) {
            // Either a key is given twice, or it is no JSON at all, which the other reader finds as well.
            return translated(() -> new DuplicateKeysReader(parser(Utf8.checked(body)), duplicates).read());
        }
    }

    /** Parses bytes that this server wrote itself. */
    public static ObjectNode parseTrusted(byte[] json) {
        if (read(READER, json) instanceof ObjectNode object) {
            return object;
        }
        throw new BadJsonException("not a JSON object", null);
    }

    /**
     * Parses what this server has written itself for those who show it: without {@code metadata.managedFields}, which is
     * no part of what an object says and may be longer than the rest.
     */
    public static ObjectNode parseShown(byte[] json) {
        try (JsonParser parser = parser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadJsonException("not a JSON object", null);
            }
            ObjectNode object = object();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                boolean metadata = parser.nextToken() == JsonToken.START_OBJECT && field.equals("metadata");
                object.set(field, metadata ? shownMetadata(parser) : PART_READER.<JsonNode>readValue(parser));
            }
            return object;
        } catch (IOException e) {
            throw new BadJsonException("stored object cannot be read: " + e.getMessage(), e);
        }
    }

    private static ObjectNode shownMetadata(JsonParser parser) throws IOException {
        ObjectNode metadata = object();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            var _ = parser.nextToken();
            if (field.equals("managedFields")) {
                parser.skipChildren();
            } else {
                metadata.set(field, PART_READER.<JsonNode>readValue(parser));
            }
        }
        return metadata;
    }

    private static JsonNode read(ObjectReader reader, byte[] body) {
        return translated(() -> reader.readTree(body));
    }

    private interface Reading {
        JsonNode read() throws IOException;
    }

    /** Puts what a parser finds wrong into words for the sender. */
    private static JsonNode translated(Reading reading) {
        try {
            JsonNode node = reading.read();
            if (node == null || node.isMissingNode()) {
                throw new BadJsonException("unexpected end of JSON input", null);
            }
            return node;
        } catch (JsonEOFException e) {
            throw new BadJsonException("unexpected end of JSON input" + where(e), e);
        } catch (JsonProcessingException e) {
            // A broken limit is told with the name of the method that set it, which says nothing to the sender.
            String what = LIMIT_SOURCE.matcher(e.getOriginalMessage()).replaceAll("");
            throw new BadJsonException(what + where(e), e);
        } catch (IOException | NumberFormatException e) {
            throw new BadJsonException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String where(JsonProcessingException e) {
        var at = e.getLocation();
        return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Writes a tree as compact JSON, its fields in the tree's order. */
    public static byte[] write(JsonNode node) {
        try {
            return WRITER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a tree indented for people, as {@code ?pretty=true} asks. */
    public static byte[] writePretty(JsonNode node) {
        try {
            return PRETTY.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes an object in its canonical form: apiVersion, kind and metadata first, the rest in the tree's order. */
    public static byte[] writeObject(ObjectNode object) {
        return write(inOrder(object) ? object : ordered(object));
    }

    private static boolean inOrder(ObjectNode object) {
        int next = 0;
        boolean others = false;
        for (var field : object.properties()) {
            int index = LEADING.indexOf(field.getKey());
            if (index >= 0 && (others || index < next)) {
                return false;
            }
            next = index + 1;
            others |= index < 0;
        }
        return true;
    }

    private static ObjectNode ordered(ObjectNode object) {
        ObjectNode ordered = object();
        for (String name : LEADING) {
            JsonNode value = object.get(name);
            if (value != null) {
                ordered.set(name, value);
            }
        }
        object.properties().forEach(field -> ordered.putIfAbsent(field.getKey(), field.getValue()));
        return ordered;
    }

    /** Appends a string to JSON being built by hand, quoted and escaped. */
    public static void quote(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }

    public static JsonParser parser(byte[] json) {
        try {
            return FACTORY.createParser(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
