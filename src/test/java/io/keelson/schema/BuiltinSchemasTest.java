package io.keelson.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.GroupVersionKind;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BuiltinSchemasTest {
    @Test
    void knowsTypesFormatsAndRequiredFields() {
        Schema pod = schema("", "v1", "Pod");
        Schema spec = field(pod, "spec");

        assertThat(spec.required()).containsExactly("containers");
        assertThat(field(spec, "activeDeadlineSeconds").type()).isEqualTo(Schema.Type.INTEGER);
        assertThat(field(spec, "activeDeadlineSeconds").format()).isEqualTo("int64");
        assertThat(field(pod, "metadata", "labels", "anything").type()).isEqualTo(Schema.Type.STRING);
        assertThat(spec.field("nothing")).isNull();
    }

    @Test
    void knowsHowListsMerge() {
        Schema containers = field(schema("", "v1", "Pod"), "spec", "containers");
        assertThat(containers.listType()).isEqualTo(Schema.ListType.MAP);
        assertThat(containers.listMapKeys()).containsExactly("name");
        assertThat(containers.patchMergeKey()).isEqualTo("name");
        assertThat(containers.patchStrategies()).containsExactly(Schema.PatchStrategy.MERGE);

        Schema ports = field(Objects.requireNonNull(containers.items()), "ports");
        assertThat(ports.listMapKeys()).containsExactly("containerPort", "protocol");
        assertThat(field(Objects.requireNonNull(ports.items()), "protocol").defaultValue())
                .hasToString("\"TCP\"");

        Schema volumes = field(schema("", "v1", "Pod"), "spec", "volumes");
        assertThat(volumes.patchStrategies())
                .containsExactlyInAnyOrder(Schema.PatchStrategy.MERGE, Schema.PatchStrategy.RETAIN_KEYS);
        assertThat(field(schema("", "v1", "Pod"), "metadata", "finalizers").listType())
                .isEqualTo(Schema.ListType.SET);
    }

    @Test
    void knowsWhatIsOwnedAsAWhole() {
        assertThat(field(schema("apps", "v1", "Deployment"), "spec", "selector").atomicMap())
                .isTrue();
        assertThat(field(schema("apps", "v1", "Deployment"), "metadata", "labels")
                        .atomicMap())
                .isFalse();
    }

    @Test
    void knowsValuesOfSeveralTypes() {
        Schema port = Objects.requireNonNull(
                field(schema("", "v1", "Service"), "spec", "ports").items());
        assertThat(field(port, "targetPort").type()).isEqualTo(Schema.Type.INT_OR_STRING);
        Schema resources = field(
                Objects.requireNonNull(
                        field(schema("", "v1", "Pod"), "spec", "containers").items()),
                "resources");
        assertThat(field(resources, "limits", "cpu").type()).isEqualTo(Schema.Type.QUANTITY);
    }

    /** The schema of schemas refers to itself. */
    @Test
    void knowsSchemasThatReferToThemselves() {
        Schema top = field(
                Objects.requireNonNull(
                        field(schema("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), "spec", "versions")
                                .items()),
                "schema",
                "openAPIV3Schema");
        assertThat(field(top, "properties", "a", "not").properties()).containsKey("properties");
    }

    @Test
    void knowsNothingOfForeignKinds() {
        assertThat(BuiltinSchemas.of(new GroupVersionKind("example.com", "v1", "Widget")))
                .isNull();
    }

    private static Schema schema(String group, String version, String kind) {
        return Objects.requireNonNull(BuiltinSchemas.of(new GroupVersionKind(group, version, kind)));
    }

    private static Schema field(Schema schema, String... path) {
        Schema at = schema;
        for (String name : path) {
            at = Objects.requireNonNull(at.field(name), name);
        }
        return at;
    }
}
