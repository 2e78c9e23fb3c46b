package io.keelson.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.MemoryServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** The objects of one custom kind in one namespace, and what a server has to do with them. */
final class CustomObjects {
    private final ApiClient api;
    private final String head;
    private final String path;

    CustomObjects(ApiClient api, String apiVersion, String kind, String plural, MemoryServer.Namespace namespace) {
        this.api = api;
        this.head = "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: ";
        this.path = "/apis/" + apiVersion + "/namespaces/" + namespace.name() + "/" + plural;
    }

    String path() {
        return path;
    }

    /** Creates an object and changes it by an apply; returns what was created. */
    JsonNode lives(String spec, String applied) {
        Answer created = send("POST", "", manifest("one", spec)).succeeded();
        Answer merged = send("PATCH", "/one?fieldManager=test", manifest("one", applied));
        assertThat(merged.code()).as(merged.toString()).isEqualTo(409);
        merged = send("PATCH", "/one?fieldManager=test&force=true", manifest("one", applied))
                .succeeded();
        assertThat(merged.at("/metadata/generation")).isEqualTo("2");
        Answer again = send("PATCH", "/one?fieldManager=test", manifest("one", applied))
                .succeeded();
        assertThat(again.at("/metadata/resourceVersion")).isEqualTo(merged.at("/metadata/resourceVersion"));
        Answer applies =
                send("PATCH", "/two?fieldManager=test", manifest("two", spec)).succeeded();
        assertThat(applies.json().path("spec")).isEqualTo(created.json().path("spec"));
        return created.json();
    }

    /** Expects {@code somethingNew} to be dropped, told of, and refused where nothing unknown may come. */
    void drops(String spec, String parent) {
        Answer created = send("POST", "?dryRun=All", manifest("bad", spec)).succeeded();
        assertThat(created.json().at(parent).isObject()).isTrue();
        assertThat(created.json().at(parent).has("somethingNew")).isFalse();
        assertThat(created.header("warning")).contains("unknown field").contains("somethingNew");
        Answer refused = send("POST", "?fieldValidation=Strict", manifest("bad", spec));
        assertThat(refused.code()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.at("/message")).contains("somethingNew");
    }

    /** Expects an object to be refused for one field, with words among others. */
    void refuses(String spec, String field, String words) {
        for (String query : List.of("", "?dryRun=All")) {
            Answer refused = send("POST", query, manifest("bad", spec));
            assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
            assertThat(causes(refused)).containsKey(field);
            assertThat(causes(refused).get(field)).contains(words);
        }
    }

    String manifest(String name, String spec) {
        return head + name + "}\nspec:\n" + spec.indent(2);
    }

    private Answer send(String method, String suffix, String manifest) {
        return api.send(
                method,
                path + suffix,
                ApiClient.bytes(manifest),
                "Content-Type",
                method.equals("PATCH") ? "application/apply-patch+yaml" : "application/yaml");
    }

    static Map<String, String> causes(Answer refused) {
        var causes = new LinkedHashMap<String, String>();
        StreamSupport.stream(refused.json().at("/details/causes").spliterator(), false)
                .forEach(cause -> causes.put(
                        cause.path("field").asText(), cause.path("message").asText()));
        return causes;
    }
}
