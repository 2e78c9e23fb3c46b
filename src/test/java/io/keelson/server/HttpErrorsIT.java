package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client hears that asks for something wrong: always a Status, with the right code and reason. */
@ExtendWith(MemoryServer.class)
class HttpErrorsIT {
    private static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

    private ApiClient api;
    private Namespace namespace;

    @BeforeEach
    void use(ApiClient api, Namespace namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    // ---- bodies

    @Test
    void a_body_over_3_mb_is_too_large_whether_it_is_announced_or_not() {
        byte[] body = ApiClient.bytes(ApiClient.configMap("big", "x".repeat(MAX_BODY_BYTES)));
        assertStatus(post(body, "application/json"), 413, "RequestEntityTooLarge");
        assertStatus(
                api.sendChunked("POST", namespace.path("configmaps"), body, "Content-Type", "application/json"),
                413,
                "RequestEntityTooLarge");
        assertThat(api.get(namespace.path("configmaps/big")).code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nothing",
                "[]",
                "\"text\"",
                "{\"metadata\":{\"name\":\"a\"}} trailing",
                "{\"metadata\":{\"name\":\"a\"},}",
                "{'metadata':{'name':'a'}}",
                "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\"}}",
                "{\"apiVersion\":\"v2\",\"metadata\":{\"name\":\"a\"}}",
                "{\"metadata\":\"a\"}",
                "{\"metadata\":{\"name\":7}}"
            })
    void bad_json_is_a_bad_request(String body) {
        assertStatus(post(ApiClient.bytes(body), "application/json"), 400, "BadRequest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata: {name: a",
                "metadata:\n\tname: a",
                "metadata: {name: a}\n---\nmetadata: {name: b}",
                "metadata: {name: *unknown}",
                "- a"
            })
    void bad_yaml_is_a_bad_request(String body) {
        assertStatus(post(ApiClient.bytes(body), "application/yaml"), 400, "BadRequest");
    }

    @Test
    void yaml_aliases_cannot_blow_up_a_body() {
        var bomb = new StringBuilder("metadata: {name: bomb}\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 12; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(",", Collections.nCopies(10, alias))));
        }
        assertStatus(post(ApiClient.bytes(bomb.toString()), "application/yaml"), 400, "BadRequest");
    }

    @ParameterizedTest
    @CsvSource({"application/json", "application/yaml"})
    void deep_nesting_is_a_bad_request(String type) {
        int depth = 100_000;
        String body = "{\"metadata\":{\"name\":\"deep\"},\"data\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
        assertStatus(post(ApiClient.bytes(body), type), 400, "BadRequest");
    }

    @ParameterizedTest
    @CsvSource({"application/json", "application/yaml"})
    void bytes_that_are_no_utf8_are_a_bad_request(String type) {
        byte[] body =
                "{\"metadata\":{\"name\":\"a\"},\"data\":{\"value\":\"\u00ff\"}}".getBytes(StandardCharsets.ISO_8859_1);
        assertStatus(post(body, type), 400, "BadRequest");
    }

    @ParameterizedTest
    @CsvSource({"application/merge-patch+json", "application/json-patch+json"})
    void a_bad_patch_is_a_bad_request(String type) {
        api.post(namespace.path("configmaps"), ApiClient.configMap("a", "1")).succeeded();
        Answer answer = api.send(
                "PATCH", namespace.path("configmaps/a"), ApiClient.bytes("{\"metadata\":"), "Content-Type", type);
        assertStatus(answer, 400, "BadRequest");
    }

    // ---- paths and methods

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nothing",
                "/api/v2",
                "/api/v2/pods",
                "/api/v1/nothings",
                "/api/v1/namespaces/default/nothings/a",
                "/api/v1/namespaces/default/pods/a/nothing",
                "/apis/nothing.example.com",
                "/apis/nothing.example.com/v1/things",
                "/apis/apps/v9/deployments",
                "/openapi/v3/nothing"
            })
    void unknown_paths_are_not_found(String path) {
        assertStatus(api.get(path), 404, "NotFound");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%zz",
                "/api/v1/%zz",
                "/api/v1/namespaces/default/configmaps/a%2",
                "/api/v1/configmaps?labelSelector=%zz",
                "/watch?resource=%",
                "/readyz/%zz",
                "/openapi/%zz"
            })
    void a_broken_escape_in_a_url_is_a_bad_request(String target) throws IOException {
        assertThat(api.getVerbatim(target))
                .startsWith("HTTP/1.1 400 Bad Request")
                .containsIgnoringCase("Content-Type: application/json")
                .contains("\"kind\":\"Status\"")
                .contains("\"reason\":\"BadRequest\"")
                .contains("invalid URL escape");
    }

    /** Browsers and curl send them as they are, and kube-apiserver takes them. */
    @ParameterizedTest
    @ValueSource(strings = {"labelSelector=a!=b|c", "labelSelector=a=^", "limit={1}"})
    void characters_that_should_be_escaped_are_read_all_the_same(String query) throws IOException {
        assertThat(api.getVerbatim(namespace.path("configmaps?" + query)))
                .startsWith("HTTP/1.1 400 Bad Request")
                .contains("\"kind\":\"Status\"")
                .doesNotContain("escape");
    }

    @Test
    void a_missing_object_is_named() {
        Answer answer = api.get(namespace.path("configmaps/missing"));
        assertStatus(answer, 404, "NotFound");
        assertThat(answer.at("/message")).isEqualTo("configmaps \"missing\" not found");
        assertThat(answer.at("/details/name")).isEqualTo("missing");
        assertThat(answer.at("/details/kind")).isEqualTo("configmaps");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/namespaces/default/configmaps",
        "PATCH, /api/v1/namespaces/default/configmaps",
        "PATCH, /api/v1/namespaces/default/finalize",
        "GET, /api/v1/namespaces/default/bindings",
        "POST, /api/v1/namespaces/default/pods/a/log",
        "POST, /api/v1/namespaces/default/configmaps/a",
        "POST, /api/v1/namespaces/default/pods/a/status",
        "DELETE, /api/v1/namespaces/default/pods/a/status",
        "DELETE, /api/v1/namespaces",
        "OPTIONS, /api/v1/namespaces",
        "FETCH, /api/v1/namespaces",
        "DELETE, /version",
        "POST, /apis/apps/v1"
    })
    void wrong_methods_are_not_allowed(String method, String path) {
        byte[] body = method.equals("OPTIONS") ? null : ApiClient.bytes("{}");
        assertStatus(api.send(method, path, body, "Content-Type", "application/json"), 405, "MethodNotAllowed");
    }

    // ---- media types

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/merge-patch+json", "nonsense"})
    void a_body_of_an_unknown_type_is_unsupported(String type) {
        assertStatus(post(ApiClient.bytes(ApiClient.configMap("a", "1")), type), 415, "UnsupportedMediaType");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/xml", "nonsense"})
    void a_patch_of_an_unknown_type_is_unsupported(String type) {
        Answer answer = api.send("PATCH", namespace.path("configmaps/a"), ApiClient.bytes("{}"), "Content-Type", type);
        assertStatus(answer, 415, "UnsupportedMediaType");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespaces/default",
                "/api/v1/namespaces",
                "/api/v1/namespaces?watch=1",
                "/api/v1",
                "/apis/apps",
                "/openapi/v2"
            })
    void what_the_client_does_not_accept_is_not_acceptable(String path) {
        assertStatus(api.get(path, "Accept", "image/png"), 406, "NotAcceptable");
    }

    // ---- options

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "limit=many 400 BadRequest",
                "resourceVersion=new 400 BadRequest",
                "continue=nonsense 400 BadRequest",
                "labelSelector=a%20b 400 BadRequest",
                "labelSelector=a%20in%20b 400 BadRequest",
                "labelSelector=%2Fa 400 BadRequest",
                "fieldSelector=spec.nothing%3D1 400 BadRequest",
                "fieldSelector=nonsense 400 BadRequest",
                "watch=1&timeoutSeconds=long 400 BadRequest",
                "resourceVersionMatch=Exact 422 Invalid",
                "resourceVersion=1&resourceVersionMatch=Roughly 422 Invalid",
                "sendInitialEvents=true 422 Invalid",
                "watch=1&sendInitialEvents=true 422 Invalid",
                "watch=1&resourceVersionMatch=NotOlderThan 422 Invalid"
            })
    void options_that_make_no_sense_are_refused(String query, int code, String reason) {
        assertStatus(api.get(namespace.path("configmaps?" + query)), code, reason);
    }

    @Test
    void a_dry_run_of_anything_but_all_is_invalid_and_one_of_all_writes_nothing() {
        String path = namespace.path("configmaps");
        assertStatus(api.post(path + "?dryRun=Some", ApiClient.configMap("a", "1")), 422, "Invalid");
        assertThat(api.post(path + "?dryRun=All", ApiClient.configMap("a", "1")).code())
                .isEqualTo(201);
        assertStatus(api.get(path + "/a"), 404, "NotFound");
    }

    // ---- objects

    @Test
    void an_object_that_breaks_the_rules_is_invalid_with_its_causes() {
        Answer answer = api.post(namespace.path("configmaps"), ApiClient.configMap("Not_A_Name", "1"));
        assertStatus(answer, 422, "Invalid");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("metadata.name");
        assertThat(answer.at("/details/causes/0/reason")).isEqualTo("FieldValueInvalid");
    }

    @Test
    void what_contradicts_the_present_state_is_a_conflict() {
        String path = namespace.path("configmaps");
        api.post(path, ApiClient.configMap("a", "1")).succeeded();
        assertStatus(api.post(path, ApiClient.configMap("a", "1")), 409, "AlreadyExists");
        String old = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}";
        assertStatus(api.put(path + "/a", old), 409, "Conflict");
        String other = "{\"metadata\":{\"name\":\"a\",\"uid\":\"other\"}}";
        assertStatus(api.put(path + "/a", other), 409, "Conflict");
        byte[] otherUid = ApiClient.bytes("{\"preconditions\":{\"uid\":\"other\"}}");
        assertStatus(api.send("DELETE", path + "/a", otherUid, "Content-Type", "application/json"), 409, "Conflict");
    }

    @Test
    void a_namespace_that_is_not_there_takes_no_objects() {
        assertStatus(
                api.post("/api/v1/namespaces/not-there/configmaps", ApiClient.configMap("a", "1")), 404, "NotFound");
    }

    private Answer post(byte[] body, String type) {
        return api.send("POST", namespace.path("configmaps"), body, "Content-Type", type);
    }

    private static void assertStatus(Answer answer, int code, String reason) {
        assertThat(answer.code()).as(answer.toString()).isEqualTo(code);
        assertThat(answer.header("Content-Type")).as(answer.toString()).startsWith("application/json");
        assertThat(answer.at("/kind")).as(answer.toString()).isEqualTo("Status");
        assertThat(answer.at("/apiVersion")).isEqualTo("v1");
        assertThat(answer.at("/status")).isEqualTo("Failure");
        assertThat(answer.at("/reason")).as(answer.toString()).isEqualTo(reason);
        assertThat(answer.at("/code")).isEqualTo(Integer.toString(code));
        assertThat(answer.at("/message")).isNotEmpty();
    }
}
