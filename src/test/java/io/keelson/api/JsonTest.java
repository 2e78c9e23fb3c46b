package io.keelson.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static JsonNode parse(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }

    private static String rewritten(String text) {
        return new String(Json.write(parse(text)), UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1,"a":2} | Duplicate field 'a' at line 1
            {"x":{"a":1,"b":2,"a":1}} | Duplicate field 'a'
            {"a":1} x | at line 1
            {"a":1}{} | at line 1
            [1,] | at line 1
            {a:1} | at line 1
            {'a':1} | at line 1
            // x | at line 1
            01 | at line 1
            NaN | at line 1
            not-json | Unrecognized token 'not'
            { | unexpected end of JSON input at line 1
            "abc | unexpected end of JSON input
            tru | at line 1
            """)
    void refuses_what_is_no_single_document(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void refuses_an_empty_body(String text) {
        assertThatThrownBy(() -> parse(text)).hasMessage("unexpected end of JSON input");
    }

    @Test
    void bounds_nesting() {
        int most = Json.MAX_DEPTH;
        assertThat(parse("[".repeat(most) + "]".repeat(most))).isNotNull();
        assertThatThrownBy(() -> parse("[".repeat(most + 1) + "]".repeat(most + 1)))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("nesting depth (501)")
                .hasMessageNotContaining("getMaxNestingDepth");
        assertThatThrownBy(() -> parse("{\"a\":".repeat(1_000_000))).isInstanceOf(BadJsonException.class);
    }

    @Test
    void refuses_bad_utf8_wherever_it_stands() {
        for (String bad :
                new String[] {"\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00e2\u0082", "\u00f5\u0080\u0080\u0080"
                }) {
            for (String body : new String[] {"\n{\"a\":\"%s\"}", "\n{\"%s\":1}", "\n{\"a\":\"\\%s\"}"}) {
                assertThatThrownBy(() -> Json.parse(body.formatted(bad).getBytes(ISO_8859_1)))
                        .isInstanceOf(BadJsonException.class)
                        .hasMessage("the body is not valid UTF-8 at line 2");
            }
        }
        String late = "{\"a\":\"" + "é".repeat(10_000);
        byte[] bytes = (late + "x\"}").getBytes(UTF_8);
        bytes[bytes.length - 3] = (byte) 0xff;
        assertThatThrownBy(() -> Json.parse(bytes)).hasMessageContaining("not valid UTF-8");
    }

    @Test
    void takes_no_other_encoding() {
        assertThatThrownBy(() -> Json.parse("{\"a\":1}".getBytes(UTF_16BE))).isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> parse("\ufeff{\"a\":1}")).isInstanceOf(BadJsonException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "\\ud83d\\ude00" | "😀"
            "😀" | "😀"
            "\\ud83d" | "\ufffd"
            "\\ude00\\uD83Dx" | "\ufffd\ufffdx"
            "\\ud83d\\ud83d\\ude00" | "\ufffd😀"
            "\\\\ud83d" | "\\\\ud83d"
            {"\\ud83d":1} | {"\ufffd":1}
            """)
    void replaces_escapes_of_half_a_surrogate_pair(String text, String result) {
        assertThat(rewritten(text)).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({
        "1.10, 1.10",
        "-0, 0",
        "1e3, 1E+3",
        "1.0, 1.0",
        "9223372036854775808, 9223372036854775808",
        "123456789012345678901234567890.5, 123456789012345678901234567890.5",
        "1e400, 1E+400"
    })
    void keeps_numbers(String text, String result) {
        assertThat(rewritten(text)).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "-1e-99999999999"})
    void refuses_exponents_out_of_range(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> parse("1".repeat(101))).isInstanceOf(BadJsonException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1,"b":2.50} | {"a":1,"b":2.50} | ``
            {"a":1,"a":2} | {"a":2} | a
            {"x":[{},{"a":1,"a":null,"b":true}]} | {"x":[{},{"a":null,"b":true}]} | x[1].a
            {"s":{"a":1,"t":{"b":1}},"s":{"c":12345678901234567890,"t":{"d":false}}} | {"s":{"a":1,"t":{"b":1,"d":false},"c":12345678901234567890}} | s
            {"s":{"a":1},"s":["x"]} | {"s":["x"]} | s
            """)
    void takes_keys_given_twice_where_it_is_to(String text, String result, String duplicates) {
        var told = new ArrayList<String>();
        JsonNode tree = Json.parse(text.getBytes(UTF_8), told::add);
        assertThat(new String(Json.write(tree), UTF_8)).isEqualTo(result);
        assertThat(String.join(" ", told)).isEqualTo(duplicates);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\":1,\"a\":}", "{\"a\":1,\"a\":2} x", "nothing"})
    void takes_no_broken_document_whether_keys_are_given_twice_or_not(String text) {
        assertThatThrownBy(() -> Json.parse(text.getBytes(UTF_8), path -> {})).isInstanceOf(BadJsonException.class);
    }

    @Test
    void takes_strings_as_long_as_a_body() {
        String text = "x".repeat(3 * 1024 * 1024);
        assertThat(parse('"' + text + '"').textValue()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":1,"metadata":{"b":1,"a":2},"kind":"K","apiVersion":"v1"} | {"apiVersion":"v1","kind":"K","metadata":{"b":1,"a":2},"spec":1}
            {"kind":"K","z":1,"metadata":{},"a":2} | {"kind":"K","metadata":{},"z":1,"a":2}
            {"apiVersion":"v1","kind":"K","metadata":{},"z":null,"a":2} | {"apiVersion":"v1","kind":"K","metadata":{},"z":null,"a":2}
            {"metadata":{},"apiVersion":"v1"} | {"apiVersion":"v1","metadata":{}}
            {} | {}
            """)
    void writes_objects_in_canonical_order(String text, String result) {
        var object = (ObjectNode) parse(text);
        assertThat(new String(Json.writeObject(object), UTF_8)).isEqualTo(result);
        assertThat(new String(Json.write(object), UTF_8)).isEqualTo(text);
    }

    @Test
    void shows_an_object_without_its_managed_fields() {
        String object = "{'a':[1,{'managedFields':2}],'metadata':{'name':'x','managedFields':[{'f:a':{}}],'z':null}}";
        assertThat(Json.parseShown(object.replace('\'', '"').getBytes(UTF_8)).toString())
                .isEqualTo("{'a':[1,{'managedFields':2}],'metadata':{'name':'x','z':null}}".replace('\'', '"'));
    }

    @Test
    void writes_for_people() {
        assertThat(new String(Json.writePretty(parse("{\"a\":[1,{\"b\":2}]}")), UTF_8))
                .isEqualTo("{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ]\n}");
    }

    @Test
    void quotes_strings() {
        var out = new StringBuilder();
        Json.quote(out, "a\"\\\n\u0001é");
        assertThat(out.toString()).isEqualTo("\"a\\\"\\\\\\n\\u0001é\"");
    }
}
