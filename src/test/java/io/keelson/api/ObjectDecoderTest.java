package io.keelson.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectDecoderTest {
    private static final ObjectDecoder DECODER = new ObjectDecoder(SelectableFields.NONE);

    private static ApiObject decode(String stored) {
        return DECODER.decode(stored.getBytes(UTF_8), 7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"apiVersion":"v1","kind":"K","metadata":{"name":"x"},"a":1} | {"apiVersion":"v1","kind":"K","metadata":{"resourceVersion":"7","name":"x"},"a":1}
            {"metadata":{"name":"x"}} | {"metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":"K","metadata":{}} | {"kind":"K","metadata":{"resourceVersion":"7"}}
            {"spec":{"metadata":{}},"metadata":{"name":"x"},"kind":"K"} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"},"spec":{"metadata":{}}}
            {"kind":"K","metadata":{"name":"x","resourceVersion":"3"}} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":"K","metadata":{"resourceVersion":{"a":[]},"name":"x"}} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":"K","metadata": {"name":"x"}} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":"K","metadata":{ }} | {"kind":"K","metadata":{"resourceVersion":"7"}}
            { "kind":"K","metadata":{"name":"x"}} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":"K", "metadata":{"name":"x"}} | {"kind":"K","metadata":{"resourceVersion":"7","name":"x"}}
            {"kind":{"a":1},"metadata":{"name":"x"}} | {"kind":{"a":1},"metadata":{"resourceVersion":"7","name":"x"}}
            """)
    void splices_the_resource_version_into_any_form(String stored, String json) {
        ApiObject object = decode(stored);
        assertThat(object.toString()).isEqualTo(json);
        assertThat(object.resourceVersion()).isEqualTo(7);
        String metadata = json.substring(object.metadataStart(), object.metadataEnd());
        assertThat(metadata).startsWith("{\"resourceVersion\":\"7\"").endsWith("}");
        assertThat(json.substring(object.itemStart())).startsWith("\"metadata\":{\"res");
        assertThat(Json.parse(metadata.getBytes(UTF_8)))
                .isEqualTo(Json.parse(json.getBytes(UTF_8)).get("metadata"));
    }

    @Test
    void rewrites_indented_objects_that_end_in_a_line_feed() {
        ApiObject object = decode("{\n  \"kind\": \"K\",\n  \"metadata\": {\n    \"name\": \"x\"\n  }\n}\n");
        assertThat(object.toString())
                .isEqualTo("{\"kind\":\"K\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"x\"}}");
        assertThat(decode("{\"kind\":\"K\",\"metadata\":{\"name\":\"x\"}}\n").toString())
                .endsWith("\"x\"}}");
    }

    @Test
    void reads_the_metadata_that_the_server_decides_by() {
        ObjectMeta meta = decode("""
                {"metadata":{"name":"n","namespace":"ns","uid":"u","generation":3,"labels":{"a":"1"},"annotations":{"x":{}},\
                "deletionTimestamp":"2024-01-01T00:00:00Z","deletionGracePeriodSeconds":30,"finalizers":["f","g"],\
                "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"v","controller":true}]}}""").meta();
        assertThat(meta)
                .isEqualTo(new ObjectMeta(
                        "n",
                        "ns",
                        "u",
                        3,
                        "2024-01-01T00:00:00Z",
                        30L,
                        Labels.of(Map.of("a", "1")),
                        List.of("f", "g"),
                        List.of(new OwnerReference("v1", "K", "o", "v", true, false))));
        assertThat(meta.beingDeleted()).isTrue();
    }

    @Test
    void takes_metadata_of_wrong_types_as_unset() {
        ObjectMeta meta = decode("""
                {"metadata":{"name":null,"namespace":[1],"uid":{"a":1},"generation":"3","labels":["a"],"deletionTimestamp":{"a":1},\
                "deletionGracePeriodSeconds":null,"finalizers":{"a":1},"ownerReferences":[1,{"name":{"b":1}}]}}""").meta();
        assertThat(meta)
                .isEqualTo(new ObjectMeta(
                        "",
                        "",
                        "",
                        0,
                        null,
                        null,
                        Labels.NONE,
                        List.of(),
                        List.of(new OwnerReference("", "", "", "", false, false))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "1",
                "{}",
                "{\"metadata\":1}",
                "{\"metadata\":{\"name\":\"x\"",
                "{\"metadata\":{\"generation\":99999999999999999999}}"
            })
    void refuses_what_is_no_object(String stored) {
        assertThatThrownBy(() -> decode(stored)).isInstanceOf(BadJsonException.class);
    }

    @Test
    void reads_selectable_fields() {
        var fields = new LinkedHashMap<String, String>();
        List.of("spec.nodeName", "spec.flag", "spec.size", "status.phase", "type")
                .forEach(path -> fields.put(path, ""));
        fields.put("reason", "none");
        var decoder = new ObjectDecoder(SelectableFields.withDefaults(fields));
        ApiObject object = decoder.decode("""
                {"kind":"K","metadata":{},"spec":{"x":[{"nodeName":"no"}],"nodeName":"n","flag":true,"size":1.50},"status":[],"type":null}
                """.strip().getBytes(UTF_8), 1);
        assertThat(fields.keySet().stream()
                        .map(path -> object.field(decoder.fields().index(path))))
                .containsExactly("n", "true", "1.50", "", "", "none");
        assertThat(decoder.fields().index("spec.other")).isEqualTo(-1);
    }

    @Provide
    Arbitrary<ObjectNode> trees() {
        return Trees.wildObjects();
    }

    @Property(tries = 300)
    void decoded_objects_are_what_was_written_and_a_resource_version(
            @ForAll("trees") ObjectNode tree,
            @ForAll("trees") ObjectNode metadata,
            @ForAll @LongRange(min = 1) long revision,
            @ForAll @LongRange(min = 1) long later) {
        metadata.remove("resourceVersion");
        tree.put("kind", "K").set("metadata", metadata);
        byte[] stored = Json.writeObject(tree);

        ApiObject object = DECODER.decode(stored, revision);
        ApiObject restamped = object.withResourceVersion(later);

        metadata.put("resourceVersion", "" + revision);
        assertThat(Json.parseTrusted(object.json())).isEqualTo(tree);
        metadata.put("resourceVersion", "" + later);
        assertThat(Json.parseTrusted(restamped.json())).isEqualTo(tree);
        assertThat(restamped.resourceVersion()).isEqualTo(later);
        assertThat(restamped.json()).isEqualTo(DECODER.decode(stored, later).json());
        assertThat(restamped.metadataEnd())
                .isEqualTo(DECODER.decode(stored, later).metadataEnd());
        assertThat(object.sameStoredBytes(stored)).isTrue();
        assertThat(restamped.sameStoredBytes(stored)).isTrue();
        stored[stored.length - 2] ^= 1;
        assertThat(object.sameStoredBytes(stored)).isFalse();
    }
}
