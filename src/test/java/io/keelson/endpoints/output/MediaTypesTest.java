package io.keelson.endpoints.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keelson.api.ApiException;
import io.keelson.endpoints.TestResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "null | LIST | JSON | PLAIN | v1",
                "'' | WATCH | JSON | PLAIN | v1",
                "*/* | LIST | JSON | PLAIN | v1",
                "application/* | OBJECT | JSON | PLAIN | v1",
                "application/json, */* | OBJECT | JSON | PLAIN | v1",
                "application/yaml | OBJECT | YAML | PLAIN | v1",
                "APPLICATION/YAML;charset=utf-8 | OBJECT | YAML | PLAIN | v1",
                "application/json;q=0.5, application/yaml | OBJECT | YAML | PLAIN | v1",
                "*/*, application/yaml | OBJECT | YAML | PLAIN | v1",
                "application/json;q=0, application/yaml;q=0.1 | OBJECT | YAML | PLAIN | v1",
                "application/vnd.kubernetes.protobuf,application/json | LIST | JSON | PLAIN | v1",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | LIST | JSON | PLAIN | v1",
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"
                        + " | LIST | JSON | TABLE | v1",
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json | OBJECT | JSON | TABLE | v1beta1",
                "application/json;as=Table;v=v9;g=meta.k8s.io, application/json | LIST | JSON | PLAIN | v1",
                "application/json;as=Table;v=v1;g=other, application/yaml | LIST | YAML | PLAIN | v1",
                "application/json;as=Nothing;v=v1;g=meta.k8s.io, application/json | LIST | JSON | PLAIN | v1",
                "application/json;as=\"Table\";v=\"v1\";g=\"meta.k8s.io\" | LIST | JSON | TABLE | v1",
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | OBJECT | JSON | PARTIAL_METADATA | v1",
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | WATCH | JSON | PARTIAL_METADATA | v1",
                "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 | LIST | JSON | PARTIAL_METADATA_LIST | v1",
                "application/yaml;as=Table;v=v1;g=meta.k8s.io | LIST | YAML | TABLE | v1",
                "application/json;stream=watch | WATCH | JSON | PLAIN | v1",
                "text/event-stream | WATCH | EVENT_STREAM | PLAIN | v1",
                "application/json;as=Table;v=v1;g=meta.k8s.io;stream=watch | WATCH | JSON | TABLE | v1",
            })
    void choosesWhatTheClientPrefers(String accept, Purpose purpose, Encoding encoding, Form form, String version) {
        assertThat(MediaTypes.negotiate(accept, purpose)).isEqualTo(new Answer(encoding, form, version, false));
    }

    @Test
    void readsTheWishForIndentation() {
        assertThat(MediaTypes.negotiate("application/json;pretty=1", Purpose.OBJECT)
                        .pretty())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html | LIST",
                "application/vnd.kubernetes.protobuf | OBJECT",
                "application/json;q=0 | OBJECT",
                "application/json;stream=other | WATCH",
                "application/yaml | WATCH",
                "text/event-stream | LIST",
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | LIST",
                "application/json;as=Table;g=meta.k8s.io;v=v1 | DOCUMENT",
                "nonsense | OBJECT",
                "/ | OBJECT",
                "*/json | OBJECT",
            })
    void refusesAClientThatWantsNoneOfIt(String accept, Purpose purpose) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> MediaTypes.negotiate(accept, purpose));
        assertThat(refusal.status().code()).isEqualTo(406);
    }

    @Test
    void aRefusalListsWhatThereIs() {
        ApiException refusal =
                catchThrowableOfType(ApiException.class, () -> MediaTypes.negotiate("text/html", Purpose.LIST));
        assertThat(refusal.status().toTree())
                .isEqualTo(TestResources.tree(
                        "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure','message':'406: Not Acceptable"
                                + "\\n\\nAvailable representations: application/json, application/yaml',"
                                + "'reason':'NotAcceptable','details':{},'code':406}"));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"application/json", "application/json; charset=utf-8", "Application/JSON"})
    void bodiesAreJson(String contentType) {
        assertThat(MediaTypes.body(contentType)).isEqualTo(Encoding.JSON);
    }

    @Test
    void bodiesMayBeYaml() {
        assertThat(MediaTypes.body("application/yaml")).isEqualTo(Encoding.YAML);
    }

    @Test
    void bodiesMayBeProtobuf() {
        assertThat(MediaTypes.body("application/vnd.kubernetes.protobuf")).isEqualTo(Encoding.PROTOBUF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "*/*", "application/vnd.kubernetes.protobuf+x", "json", "text/event-stream"})
    void refusesOtherBodies(String contentType) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> MediaTypes.body(contentType));
        assertThat(refusal.status().code()).isEqualTo(415);
        assertThat(refusal.status().message())
                .endsWith("application/json, application/yaml, application/vnd.kubernetes.protobuf");
        assertThat(refusal.status().details()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "application/json-patch+json, JSON",
        "application/merge-patch+json; charset=utf-8, MERGE",
        "application/strategic-merge-patch+json, STRATEGIC_MERGE",
        "application/apply-patch+yaml, APPLY",
    })
    void knowsThePatches(String contentType, PatchType type) {
        assertThat(MediaTypes.patch(contentType)).isEqualTo(type);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"application/unknown", "application/json"})
    void refusesOtherPatches(String contentType) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> MediaTypes.patch(contentType));
        assertThat(refusal.status().code()).isEqualTo(415);
        assertThat(refusal.status().details()).isNotNull();
    }

    @Test
    void aSeparatorInQuotesSeparatesNothing() {
        MediaType type = MediaType.parse("a/b;x=\"1;,\\\"2\";y=3");
        assertThat(type.parameter("x")).isEqualTo("1;,\"2");
        assertThat(type.parameter("y")).isEqualTo("3");
        assertThat(type.parameter("z")).isEmpty();
    }

    @Test
    void aLongHeaderIsReadInPart() {
        assertThat(MediaType.parseAccept("a/b,".repeat(10_000))).hasSize(MediaType.MAX_RANGES);
    }
}
