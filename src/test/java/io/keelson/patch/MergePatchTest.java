package io.keelson.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergePatchTest {
    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(UTF_8));
    }

    /** The examples of RFC 7386, appendix A, where document and patch are objects, and more. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':'b'} | {'a':'c'} | {'a':'c'}
            {'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}
            {'a':'b'} | {'a':null} | {}
            {'a':'b','b':'c'} | {'a':null} | {'b':'c'}
            {'a':['b']} | {'a':'c'} | {'a':'c'}
            {'a':'c'} | {'a':['b']} | {'a':['b']}
            {'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}
            {'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}
            {'e':null} | {'a':1} | {'e':null,'a':1}
            {} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}
            {'a':'foo'} | {'a':{'b':1,'c':null}} | {'a':{'b':1}}
            {'a':1} | {} | {'a':1}
            {} | {'a':[null,{'b':null}]} | {'a':[null,{'b':null}]}
            """)
    void merges(String document, String patch, String result) {
        var original = (ObjectNode) json(document);
        JsonNode changes = json(patch);
        assertThat(MergePatch.apply(original, changes)).isEqualTo(json(result));
        assertThat(MergePatch.apply(original, changes)).isEqualTo(json(result));
        assertThat(original).isEqualTo(json(document));
        assertThat(changes).isEqualTo(json(patch));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "'x'", "1", "null", "true"})
    void answers_what_is_no_object_with_400(String patch) {
        ApiException refused =
                catchThrowableOfType(ApiException.class, () -> MergePatch.apply(Json.object(), json(patch)));
        assertThat(refused.status().code()).isEqualTo(400);
        assertThat(refused.getMessage()).startsWith("error decoding patch: ");
    }
}
