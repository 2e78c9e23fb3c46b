package io.keelson.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlTest {
    private static JsonNode parse(String text) {
        return Yaml.parse(text.replace("\\n", "\n").getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: 1 | {"a":1}
            a: -1 | {"a":-1}
            a: +5 | {"a":5}
            a: 0 | {"a":0}
            a: 0644 | {"a":420}
            a: -010 | {"a":-8}
            a: 0o14 | {"a":12}
            a: 0e3 | {"a":0E+3}
            a: 00 | {"a":0}
            a: 08 | {"a":8}
            a: 0x1F | {"a":31}
            a: 0b101 | {"a":5}
            a: 3000000000 | {"a":3000000000}
            a: 123456789012345678901234567890 | {"a":123456789012345678901234567890}
            a: 1.10 | {"a":1.10}
            a: .5 | {"a":0.5}
            a: 1e3 | {"a":1E+3}
            a: 1_000 | {"a":"1_000"}
            a: 1.2.3 | {"a":"1.2.3"}
            a: 100m | {"a":"100m"}
            a: 12:30 | {"a":"12:30"}
            a: -x | {"a":"-x"}
            a: 0x | {"a":"0x"}
            a: true | {"a":true}
            a: False | {"a":false}
            a: yes | {"a":"yes"}
            a: on | {"a":"on"}
            a: 2001-01-01 | {"a":"2001-01-01"}
            a: 2001-12-14t21:59:43.10-05:00 | {"a":"2001-12-14t21:59:43.10-05:00"}
            a: | {"a":null}
            a: ~ | {"a":null}
            a: "1" | {"a":"1"}
            a: 'true' | {"a":"true"}
            a: !!str 1 | {"a":"1"}
            a: !!int 7 | {"a":7}
            a: !!float 7 | {"a":7}
            1: a\\ntrue: b | {"1":"a","true":"b"}
            a: \\n- 1\\n- b: 2 | {"a":[1,{"b":2}]}
            {"a": [1, {"b": null}]} | {"a":[1,{"b":null}]}
            # first\\na: 1 # then | {"a":1}
            ---\\na: 1 | {"a":1}
            ---\\na: 1\\n... | {"a":1}
            a: &x {b: 1}\\nc: *x | {"a":{"b":1},"c":{"b":1}}
            a: &x {b: 1, c: 2}\\nd:\\n  <<: *x\\n  b: 3 | {"a":{"b":1,"c":2},"d":{"b":3,"c":2}}
            a: &x {b: 1}\\nd: {<<: [*x, {b: 2, c: 3}]} | {"a":{"b":1},"d":{"b":1,"c":3}}
            &k a: 1\\nb: *k | {"a":1,"b":"a"}
            - 1 | [1]
            text | "text"
            """)
    void reads_what_manifests_hold(String yaml, String json) {
        JsonNode tree = parse(yaml);
        assertThat(new String(Json.write(tree), UTF_8)).isEqualTo(json);
        assertThat(tree).isEqualTo(Json.parse(json.getBytes(UTF_8)));
    }

    @Test
    void reads_block_scalars() {
        assertThat(parse("a: |\n  one\n  two\nb: >-\n  one\n  two\n").toString())
                .isEqualTo("{\"a\":\"one\\ntwo\\n\",\"b\":\"one two\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: 1\\na: 2 | key "a" already set in map at line 2
            1: a\\n"1": b | already set in map at line 2
            a: 1\\n---\\nb: 2 | more than one YAML document at line 2
            a: *x | unknown or unfinished anchor "x" at line 1
            a: &x [*x] | unknown or unfinished anchor "x" at line 1
            a: .inf | .inf is no JSON number at line 1
            a: .NaN | is no JSON number at line 1
            a: 1e99999999999 | exponent of 1e99999999999 is too large at line 1
            ? [a]\\n: 1 | a key must be a scalar at line 1
            ~: 1 | a key must be a string, number or boolean at line 1
            a: !thing 1 | is not supported at line 1
            a: !!binary aGk= | is not supported at line 1
            a: !!int x | is no int at line 1
            a: !!set {b} | is not supported at line 1
            a: [1 | at line 1
            a: "\\x\\ny: 1 | at line
            a:\\n\\t- b | at line 2
            a: {<<: 1} | map merge requires a map
            """)
    void refuses_with_the_line(String yaml, String message) {
        assertThatThrownBy(() -> parse(yaml))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refuses_half_a_surrogate_pair_and_control_characters() {
        assertThatThrownBy(() -> Yaml.parse("a: \"\\ud800\"".getBytes(UTF_8))).isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> Yaml.parse("a: \u0001".getBytes(UTF_8)))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("U+0001");
    }

    @ParameterizedTest
    @CsvSource({"''", "'# only a comment'"})
    void refuses_an_empty_body(String yaml) {
        assertThatThrownBy(() -> parse(yaml))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("no YAML document");
    }

    @Test
    void refuses_bad_utf8() {
        for (String bytes : new String[] {"a: \u00ff", "a: \u00c0\u00af", "a: \u00ed\u00a0\u0080", "a: \u00e2\u0082"}) {
            assertThatThrownBy(() -> Yaml.parse(("x: 1\n" + bytes).getBytes(ISO_8859_1)))
                    .isInstanceOf(BadJsonException.class)
                    .hasMessageContaining("not valid UTF-8 at line 2");
        }
    }

    @Test
    void bounds_nesting() {
        int most = Json.MAX_DEPTH;
        assertThat(parse("[".repeat(most) + "]".repeat(most))).isNotNull();
        assertThatThrownBy(() -> parse("[".repeat(most + 1) + "]".repeat(most + 1)))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("nests deeper than 500 levels");
        assertThatThrownBy(() -> parse("[".repeat(1_000_000))).isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> parse("- ".repeat(100_000) + "a")).isInstanceOf(BadJsonException.class);
    }

    @Test
    void bounds_nesting_through_aliases() {
        String deep = "[".repeat(300) + "%s" + "]".repeat(300);
        String text = "a: &a " + deep.formatted("1") + "\nb: " + deep.formatted("*a");
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("nests deeper than 500 levels");
    }

    @Test
    void bounds_what_aliases_add() {
        var laughs = new StringBuilder("a0: &a0 [lol]\n");
        for (int i = 1; i < 30; i++) {
            laughs.append("a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        assertThatThrownBy(() -> parse(laughs.toString()))
                .isInstanceOf(BadJsonException.class)
                .hasMessageContaining("aliases make the document too large");

        String quadratic = "a: &a " + "x".repeat(1_000_000) + "\nb: [" + "*a,".repeat(100_000) + "]";
        assertThatThrownBy(() -> parse(quadratic)).hasMessageContaining("aliases make the document too large");
    }

    @Provide
    Arbitrary<ObjectNode> trees() {
        return Trees.wildObjects();
    }

    @Property(tries = 500)
    void written_trees_read_as_they_were(@ForAll("trees") ObjectNode tree) {
        byte[] yaml = Yaml.write(tree);
        assertThat(Yaml.parse(yaml)).as(() -> new String(yaml, UTF_8)).isEqualTo(tree);
    }

    @Test
    void takes_keys_given_twice_where_it_is_to() {
        var told = new ArrayList<String>();
        JsonNode tree = Yaml.parse("a: 1\nb: {c: 1, c: 2}\na: 3\n".getBytes(UTF_8), told::add);
        assertThat(tree).isEqualTo(Json.parse("{\"a\":3,\"b\":{\"c\":2}}".getBytes(UTF_8)));
        assertThat(told)
                .containsExactly("key \"c\" already set in map at line 2", "key \"a\" already set in map at line 3");
    }

    @Test
    void writes_as_people_do() {
        JsonNode tree = Json.parse("""
                {"kind":"Pod","metadata":{"labels":{"on":"yes","v":"1"},"name":"a-b"},"args":["x",{"z":1}],"e":{},"f":[]}
                """.getBytes(UTF_8));
        assertThat(new String(Yaml.write(tree), UTF_8)).isEqualTo("""
                kind: Pod
                metadata:
                  labels:
                    "on": "yes"
                    v: "1"
                  name: a-b
                args:
                - x
                - z: 1
                e: {}
                f: []
                """);
    }
}
