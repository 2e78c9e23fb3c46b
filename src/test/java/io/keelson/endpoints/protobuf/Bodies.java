package io.keelson.endpoints.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.keelson.api.Json;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies as clients send them. */
final class Bodies {
    private Bodies() {}

    /** What kubectl 1.32 sent, and what the same command prints with {@code --dry-run=client -o json}. */
    record Recorded(String command, byte[] body, JsonNode json) {
        @Override
        public String toString() {
            return command;
        }
    }

    static List<Recorded> recorded() {
        try (InputStream in = Bodies.class.getResourceAsStream("kubectl-bodies.jsonl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(Bodies::recorded)
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Recorded recorded(String line) {
        try {
            JsonNode tree = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            return new Recorded(tree.path("command").asText(), tree.path("body").binaryValue(), tree.path("json"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] body(String apiVersion, String kind, Message message) {
        return body(apiVersion, kind, message.toByteString());
    }

    static byte[] body(String apiVersion, String kind, ByteString raw) {
        return body(envelope(apiVersion, kind).setRaw(raw).build());
    }

    static Unknown.Builder envelope(String apiVersion, String kind) {
        return Unknown.newBuilder()
                .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind));
    }

    static byte[] body(Unknown envelope) {
        return ByteString.copyFromUtf8("k8s\0").concat(envelope.toByteString()).toByteArray();
    }
}
