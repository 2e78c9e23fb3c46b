package io.keelson.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link ApiObject} of stored bytes: reads the metadata and the selectable fields with the streaming parser,
 * stops as soon as it has them, and splices the resourceVersion in at the start of the metadata. No tree is built.
 * Immutable and thread-safe.
 */
public final class ObjectDecoder {
    private static final byte[] METADATA = "\"metadata\":".getBytes(StandardCharsets.US_ASCII);

    private final SelectableFields fields;
    private final UnaryOperator<byte[]> revise;

    public ObjectDecoder(SelectableFields fields) {
        this(fields, UnaryOperator.identity());
    }

    /** @param revise brings stored bytes into the form in which they are to be seen; gives back bytes that are in it */
    public ObjectDecoder(SelectableFields fields, UnaryOperator<byte[]> revise) {
        this.fields = fields;
        this.revise = revise;
    }

    public SelectableFields fields() {
        return fields;
    }

    /**
     * Decodes the stored form of an object.
     *
     * @param stored JSON in canonical form without a resourceVersion
     * @param revision the revision of the object's last change
     * @throws BadJsonException where the bytes are no object with metadata
     */
    public ApiObject decode(byte[] stored, long revision) {
        try {
            return new Scan(revise.apply(stored), revision).object();
        } catch (IOException e) {
            throw new BadJsonException("stored object cannot be read: " + e.getMessage(), e);
        }
    }

    /** One pass over one object. */
    private final class Scan {
        private final byte[] stored;
        private final long revision;
        private final String[] values = fields.defaults();
        private int wanted = fields.root().below.size();
        private int start = -1;
        private int end = -1;
        private String name = "";
        private String namespace = "";
        private String uid = "";
        private long generation;
        private @Nullable String deletionTimestamp;
        private @Nullable Long grace;
        private Labels labels = Labels.NONE;
        private List<String> finalizers = List.of();
        private List<OwnerReference> owners = List.of();
        private boolean carriesResourceVersion;

        /** Whether nothing but apiVersion and kind comes before the metadata. */
        private boolean leading = true;

        Scan(byte[] stored, long revision) {
            this.stored = stored;
            this.revision = revision;
        }

        ApiObject object() throws IOException {
            try (JsonParser parser = Json.parser(stored)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new BadJsonException("stored object is not a JSON object", null);
                }
                while ((start < 0 || wanted > 0) && parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    JsonToken token = parser.nextToken();
                    if (field.equals("metadata") && token == JsonToken.START_OBJECT) {
                        readMetadata(parser);
                    } else {
                        leading &= start >= 0 || field.equals("apiVersion") || field.equals("kind");
                        readField(parser, fields.root().into(field), token, true);
                    }
                }
            }
            if (start < 0) {
                throw new BadJsonException("stored object has no metadata", null);
            }
            return canonical() && !carriesResourceVersion ? spliced() : rewritten();
        }

        /**
         * Whether the bytes have the form that slices of them rely on. Those that someone else wrote into the store may have
         * another order, or be indented, which shows where the metadata begins and at the end.
         */
        private boolean canonical() {
            int head = start - METADATA.length;
            return leading
                    && head > 0
                    && Arrays.equals(stored, head, start, METADATA, 0, METADATA.length)
                    && (stored[head - 1] == ',' || head == 1)
                    && (stored[start + 1] == '"' || stored[start + 1] == '}')
                    && stored[stored.length - 1] == '}'
                    && stored[0] == '{'
                    && stored[1] == '"';
        }

        private ApiObject spliced() {
            var meta = new ObjectMeta(
                    name, namespace, uid, generation, deletionTimestamp, grace, labels, finalizers, owners);
            if (revision == 0) {
                // No write has this revision: what has not been written shows none.
                return new ApiObject(stored, start, end, revision, meta, values);
            }
            byte[] digits = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
            boolean only = stored[start + 1] == '}';
            int added = ApiObject.RESOURCE_VERSION.length - 1 + digits.length + (only ? 1 : 2);
            var json = new byte[stored.length + added];
            System.arraycopy(stored, 0, json, 0, start);
            int at = start;
            System.arraycopy(ApiObject.RESOURCE_VERSION, 0, json, at, ApiObject.RESOURCE_VERSION.length);
            at += ApiObject.RESOURCE_VERSION.length;
            System.arraycopy(digits, 0, json, at, digits.length);
            at += digits.length;
            json[at++] = '"';
            if (!only) {
                json[at++] = ',';
            }
            System.arraycopy(stored, start + 1, json, at, stored.length - start - 1);
            return new ApiObject(json, start, end + added, revision, meta, values);
        }

        /** Bytes that someone else wrote into the store, in another order or with a resourceVersion. */
        private ApiObject rewritten() {
            ObjectNode tree = Json.parseTrusted(stored);
            if (tree.get("metadata") instanceof ObjectNode metadata) {
                metadata.remove("resourceVersion");
            }
            return decode(Json.writeObject(tree), revision);
        }

        private void readField(JsonParser parser, SelectableFields.@Nullable Step step, JsonToken token, boolean top)
                throws IOException {
            if (step == null) {
                parser.skipChildren();
                return;
            }
            if (top) {
                wanted--;
            }
            if (step.index >= 0 && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                values[step.index] = Labels.share(parser.getText());
            }
            if (token == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    readField(parser, step.into(field), parser.nextToken(), false);
                }
            } else {
                parser.skipChildren();
            }
        }

        private void readMetadata(JsonParser parser) throws IOException {
            start = (int) parser.currentTokenLocation().getByteOffset();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken token = parser.nextToken();
                switch (field) {
                    case "name" -> name = text(parser, token);
                    case "namespace" -> namespace = Labels.share(text(parser, token));
                    case "uid" -> uid = text(parser, token);
                    case "generation" -> generation = number(parser, token);
                    case "deletionTimestamp" -> {
                        String timestamp = text(parser, token);
                        deletionTimestamp = timestamp.isEmpty() ? null : timestamp;
                    }
                    case "deletionGracePeriodSeconds" ->
                        grace = token == JsonToken.VALUE_NULL ? null : number(parser, token);
                    case "labels" -> labels = Labels.of(readStrings(parser, token));
                    case "finalizers" -> finalizers = readList(parser, token);
                    case "ownerReferences" -> owners = readOwners(parser, token);
                    case "resourceVersion" -> {
                        carriesResourceVersion = true;
                        parser.skipChildren();
                    }
                    default -> parser.skipChildren();
                }
            }
            end = (int) parser.currentTokenLocation().getByteOffset() + 1;
        }

        private static String text(JsonParser parser, JsonToken token) throws IOException {
            if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                return parser.getText();
            }
            parser.skipChildren();
            return "";
        }

        private static long number(JsonParser parser, JsonToken token) throws IOException {
            if (token == JsonToken.VALUE_NUMBER_INT) {
                return parser.getLongValue();
            }
            parser.skipChildren();
            return 0;
        }

        private static Map<String, String> readStrings(JsonParser parser, JsonToken token) throws IOException {
            if (token != JsonToken.START_OBJECT) {
                parser.skipChildren();
                return Map.of();
            }
            var strings = new HashMap<String, String>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                strings.put(key, text(parser, parser.nextToken()));
            }
            return strings;
        }

        private static List<String> readList(JsonParser parser, JsonToken token) throws IOException {
            if (token != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return List.of();
            }
            var list = new ArrayList<String>();
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                list.add(Labels.share(text(parser, item)));
            }
            return List.copyOf(list);
        }

        private static List<OwnerReference> readOwners(JsonParser parser, JsonToken token) throws IOException {
            if (token != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return List.of();
            }
            var list = new ArrayList<OwnerReference>();
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                if (item != JsonToken.START_OBJECT) {
                    parser.skipChildren();
                    continue;
                }
                var owner = new HashMap<String, String>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String key = parser.currentName();
                    owner.put(key, text(parser, parser.nextToken()));
                }
                list.add(new OwnerReference(
                        Labels.share(owner.getOrDefault("apiVersion", "")),
                        Labels.share(owner.getOrDefault("kind", "")),
                        owner.getOrDefault("name", ""),
                        owner.getOrDefault("uid", ""),
                        "true".equals(owner.get("controller")),
                        "true".equals(owner.get("blockOwnerDeletion"))));
            }
            return List.copyOf(list);
        }
    }
}
