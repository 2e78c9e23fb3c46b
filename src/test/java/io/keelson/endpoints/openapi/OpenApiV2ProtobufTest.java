package io.keelson.endpoints.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.keelson.endpoints.TestResources;
import io.keelson.schema.SchemaLibrary;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads the message back by field numbers, as a client that knows gnostic's does. */
class OpenApiV2ProtobufTest {
    private static final int NAME = 1;
    private static final int VALUE = 2;

    private final ObjectNode document = OpenApiV2.document(TestResources.ALL, SchemaLibrary.read(), "v1.36.0");
    private final UnknownFieldSet message = parse(ByteString.copyFrom(OpenApiV2Protobuf.encode(document)));

    @Test
    void saysWhatItIs() {
        assertThat(text(message, 1)).isEqualTo("2.0");
        assertThat(text(message(message, 2), 2)).isEqualTo("v1.36.0");
    }

    @Test
    void aPatchHasItsKindAndParameters() {
        UnknownFieldSet item = named(message(message, 8), 2, "/apis/apps/v1/namespaces/{namespace}/deployments/{name}");
        UnknownFieldSet patch = message(item, 8);
        assertThat(text(patch, 5)).isEqualTo("patchAppsV1NamespacedDeployment");
        assertThat(text(named(patch, 13, "x-kubernetes-group-version-kind"), 2))
                .isEqualTo("{\"group\":\"apps\",\"kind\":\"Deployment\",\"version\":\"v1\"}");
        List<UnknownFieldSet> parameters = messages(patch, 8);
        UnknownFieldSet body = message(message(parameters.getFirst(), 1), 1);
        assertThat(text(body, 2)).isEqualTo("body");
        assertThat(text(message(body, 5), 1)).isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch");
        assertThat(parameters.subList(1, parameters.size()))
                .extracting(parameter -> text(message(message(message(parameter, 1), 2), 3), 4))
                .containsExactly("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(messages(item, 9))
                .extracting(parameter -> message(message(parameter, 1), 2))
                .extracting(parameter -> parameter.hasField(4) ? text(message(parameter, 4), 4) : "query")
                .containsExactly("name", "namespace", "query");
        UnknownFieldSet ok = message(named(message(patch, 9), 1, "200"), 1);
        assertThat(text(message(message(ok, 2), 1), 1)).isEqualTo("#/definitions/io.k8s.api.apps.v1.Deployment");
    }

    @Test
    void schemasHaveTheirFields() {
        UnknownFieldSet definitions = message(message, 9);
        assertThat(messages(definitions, 1))
                .hasSize(document.path("definitions").size());
        UnknownFieldSet spec = named(definitions, 1, "io.k8s.api.core.v1.PodSpec");
        assertThat(text(message(spec, 22), 1)).isEqualTo("object");
        assertThat(text(spec, 19)).isEqualTo("containers");
        UnknownFieldSet containers = named(message(spec, 25), 1, "containers");
        assertThat(text(message(message(containers, 23), 1), 1))
                .isEqualTo("#/definitions/io.k8s.api.core.v1.Container");
        assertThat(text(named(containers, 31, "x-kubernetes-patch-merge-key"), 2))
                .isEqualTo("\"name\"");
        UnknownFieldSet selector = named(message(spec, 25), 1, "nodeSelector");
        assertThat(text(message(message(message(selector, 21), 1), 22), 1)).isEqualTo("string");
        UnknownFieldSet policy = named(message(spec, 25), 1, "restartPolicy");
        assertThat(messages(policy, 20)).extracting(value -> text(value, 2)).contains("\"Always\"");
    }

    private static UnknownFieldSet named(UnknownFieldSet map, int field, String name) {
        return messages(map, field).stream()
                .filter(entry -> text(entry, NAME).equals(name))
                .map(entry -> message(entry, VALUE))
                .findFirst()
                .orElseThrow();
    }

    private static UnknownFieldSet message(UnknownFieldSet of, int field) {
        return parse(of.getField(field).getLengthDelimitedList().getFirst());
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet of, int field) {
        return of.getField(field).getLengthDelimitedList().stream()
                .map(OpenApiV2ProtobufTest::parse)
                .toList();
    }

    private static String text(UnknownFieldSet of, int field) {
        return of.getField(field).getLengthDelimitedList().getFirst().toStringUtf8();
    }

    private static UnknownFieldSet parse(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
