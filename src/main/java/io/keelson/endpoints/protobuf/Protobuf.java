package io.keelson.endpoints.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads bodies of the media type {@code application/vnd.kubernetes.protobuf}, in which clients that know the built-in kinds
 * send them. Answers are never in protobuf: such clients take JSON as well. Stateless and thread-safe.
 */
public final class Protobuf {
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** The message that follows the magic bytes: the kind's name and its message. */
    private static final String ENVELOPE = "runtime.Unknown";

    private Protobuf() {}

    /**
     * Parses one object from an untrusted body, into the tree that its JSON would give. Fields that the kind's message does
     * not have are passed over, as protobuf has it.
     *
     * @throws BadJsonException with words for the sender
     */
    public static ObjectNode parse(byte[] body) {
        try {
            return object(envelope(body));
        } catch (BadJsonException e) {
            throw new BadJsonException("the body is not valid protobuf of Kubernetes: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new BadJsonException("the body is not valid protobuf of Kubernetes: it is cut off or damaged", e);
        }
    }

    private static ObjectNode envelope(byte[] body) throws IOException {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new BadJsonException("it does not begin with the bytes \"k8s\" and 0", null);
        }
        ObjectNode envelope = Json.object();
        byte[] message = Arrays.copyOfRange(body, MAGIC.length, body.length);
        new MessageReader(MessageTypes.builtin(), message).read(ENVELOPE, envelope);
        return envelope;
    }

    private static ObjectNode object(ObjectNode envelope) throws IOException {
        String apiVersion = envelope.path("typeMeta").path("apiVersion").asText();
        String kind = envelope.path("typeMeta").path("kind").asText();
        String contentType = envelope.path("contentType").asText();
        if (!envelope.path("contentEncoding").asText().isEmpty()) {
            throw new BadJsonException("the object inside is compressed", null);
        }
        if (!contentType.isEmpty() && !contentType.equals(MEDIA_TYPE)) {
            throw new BadJsonException("the object inside is of another media type", null);
        }
        String message = MessageTypes.builtin().messageOf(apiVersion, kind);
        if (message == null) {
            throw new BadJsonException(
                    "no kind \"" + kind + "\" of version \"" + apiVersion + "\" is known in protobuf; send it as JSON",
                    null);
        }
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        new MessageReader(MessageTypes.builtin(), raw(envelope)).read(message, object);
        return object;
    }

    private static byte[] raw(ObjectNode envelope) throws IOException {
        JsonNode raw = envelope.path("raw");
        return raw.isBinary() ? raw.binaryValue() : new byte[0];
    }
}
