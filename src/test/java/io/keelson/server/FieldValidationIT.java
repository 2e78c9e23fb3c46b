package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import io.keelson.testing.MemoryServer.Namespace;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of fields that a kind does not have, of fields given twice and of values of a wrong type. */
@ExtendWith(MemoryServer.class)
class FieldValidationIT {
    private static final String UNKNOWN =
            "{'metadata':{'name':'%s'},'spec':1,'data':{'a':'1','a':'2'}}".replace('\'', '"');

    private ApiClient api;
    private Namespace namespace;

    @BeforeEach
    void use(ApiClient api, Namespace namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    private Answer write(String method, String path, String type, String body) {
        return api.send(method, namespace.path(path), ApiClient.bytes(body.replace('\'', '"')), "Content-Type", type);
    }

    private static List<String> warnings(Answer answer) {
        return answer.response().headers().allValues("Warning");
    }

    private static void assertInvalidPatch(Answer answer, String words) {
        assertThat(answer.code()).as(answer.toString()).isEqualTo(422);
        assertThat(answer.at("/reason")).isEqualTo("Invalid");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("patch");
        assertThat(answer.at("/message")).contains(words);
    }

    @ParameterizedTest
    @CsvSource({"'',true", "?fieldValidation=Warn,true", "?fieldValidation=Ignore,false"})
    void unknown_fields_are_dropped_with_a_warning_each_unless_ignored(String query, boolean warned) {
        Answer created = write("POST", "configmaps" + query, "application/json", UNKNOWN.formatted("a"));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.json().has("spec")).isFalse();
        assertThat(created.at("/data/a")).isEqualTo("2");
        Answer replaced = write("PUT", "configmaps/a" + query, "application/json", UNKNOWN.formatted("a"));
        assertThat(replaced.code()).isEqualTo(200);
        for (Answer answer : List.of(created, replaced)) {
            if (warned) {
                assertThat(warnings(answer))
                        .containsExactly(
                                "299 - \"unknown field \\\"spec\\\"\"", "299 - \"duplicate field \\\"data.a\\\"\"");
            } else {
                assertThat(warnings(answer)).isEmpty();
            }
        }
    }

    @Test
    void strict_writes_are_refused_with_all_that_is_wrong() {
        Answer answer =
                write("POST", "configmaps?fieldValidation=Strict", "application/json", UNKNOWN.formatted("strict"));
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/reason")).isEqualTo("BadRequest");
        assertThat(answer.at("/message"))
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
                        + "unknown field \"spec\", duplicate field \"data.a\"");
        assertThat(api.get(namespace.path("configmaps/strict")).code()).isEqualTo(404);
    }

    @Test
    void yaml_is_held_to_the_same() {
        String yaml = "metadata: {name: yaml}\nspec: 1\ndata:\n  a: '1'\n  a: '2'\n".replace("'", "\"");
        Answer strict = write("POST", "configmaps?fieldValidation=Strict", "application/yaml", yaml);
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.at("/message")).contains("key \"a\" already set in map at line 5", "unknown field \"spec\"");
        Answer warned = write("POST", "configmaps", "application/yaml", yaml);
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warnings(warned)).hasSize(2);
    }

    @Test
    void patches_are_judged_by_what_they_make() {
        write("POST", "configmaps", "application/json", "{'metadata':{'name':'p'},'data':{'a':'1'}}")
                .succeeded();
        String merge = "application/merge-patch+json";
        Answer warned = write("PATCH", "configmaps/p", merge, "{'spec':1}").succeeded();
        assertThat(warnings(warned)).containsExactly("299 - \"unknown field \\\"spec\\\"\"");
        assertThat(warned.json().has("spec")).isFalse();
        assertInvalidPatch(
                write("PATCH", "configmaps/p?fieldValidation=Strict", merge, "{'spec':1,'data':{'a':'2','a':'3'}}"),
                "strict decoding error: duplicate field \"data.a\", unknown field \"spec\"");
        assertInvalidPatch(
                write("PATCH", "configmaps/p", merge, "{'data':{'b':7}}"),
                "json: cannot unmarshal number into Go struct field ConfigMap.data.b of type string");
        assertInvalidPatch(
                write(
                        "PATCH",
                        "configmaps/p?fieldValidation=Strict",
                        "application/json-patch+json",
                        "[{'op':'add','path':'/nope','value':{}}]"),
                "unknown field \"nope\"");
        assertThat(api.get(namespace.path("configmaps/p")).at("/data/a")).isEqualTo("1");
    }

    @Test
    void values_of_a_wrong_type_are_refused_whatever_is_asked_for() {
        Answer answer = write(
                "POST",
                "configmaps?fieldValidation=Ignore",
                "application/json",
                "{'metadata':{'name':'t'},'data':{'a':1}}");
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/message"))
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: "
                        + "json: cannot unmarshal number into Go struct field ConfigMap.data.a of type string");
    }

    @ParameterizedTest
    @CsvSource({"POST,configmaps,CreateOptions", "PUT,configmaps/x,UpdateOptions", "PATCH,configmaps/x,PatchOptions"})
    void a_directive_that_there_is_not_is_invalid(String method, String path, String options) {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        Answer answer = write(method, path + "?fieldValidation=Other", type, "{'metadata':{'name':'x'}}");
        assertThat(answer.code()).as(answer.toString()).isEqualTo(422);
        assertThat(answer.at("/details/kind")).isEqualTo(options);
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("fieldValidation");
        assertThat(answer.at("/details/causes/0/reason")).isEqualTo("FieldValueNotSupported");
    }

    @Test
    void a_directive_that_there_is_not_is_invalid_for_apply_too() {
        Answer answer = write(
                "PATCH",
                "configmaps/x?fieldManager=test&fieldValidation=Other",
                "application/apply-patch+yaml",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x'}}");
        assertThat(answer.code()).as(answer.toString()).isEqualTo(422);
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("fieldValidation");
    }

    @Test
    void subresources_have_schemas_too() {
        write("POST", "configmaps", "application/json", "{'metadata':{'name':'none'},'data':{'a':'1'}}")
                .succeeded();
        Answer answer = api.send(
                "PUT",
                "/apis/apps/v1/namespaces/" + namespace.name() + "/deployments/none/scale?fieldValidation=Strict",
                ApiClient.bytes("{\"metadata\":{\"name\":\"none\"},\"spec\":{\"replica\":1}}"),
                "Content-Type",
                "application/json");
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/message")).contains("unknown field \"spec.replica\"");
    }
}
