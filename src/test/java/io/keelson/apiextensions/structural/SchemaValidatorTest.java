package io.keelson.apiextensions.structural;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaValidatorTest {
    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> faults(String property, String value) {
        return faults("{'type':'object','properties':{'f':" + property + "}}", "{'f':" + value + "}", null);
    }

    private static List<String> faults(String schema, String value, String old) {
        return SchemaValidator.validate(
                        StructuralSchema.ofResource(json(schema)),
                        json(value),
                        old == null ? null : json(old),
                        Path.ROOT)
                .stream()
                .map(FieldError::text)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'integer'} | 'x' | f: Invalid value: 'string': f in body must be of type integer: 'string'",
                "{'type':'integer'} | 1.5 | f: Invalid value: 'number': f in body must be of type integer: 'number'",
                "{'type':'string'} | null | f: Invalid value: 'null': f in body must be of type string: 'null'",
                "{'x-kubernetes-int-or-string':true} | {} | f: Invalid value: 'object': f in body must be of type integer,string: 'object'",
                "{'type':'integer','maximum':10} | 11 | f: Invalid value: 11: f in body should be less than or equal to 10",
                "{'type':'integer','minimum':0,'exclusiveMinimum':true} | 0 | f: Invalid value: 0: f in body should be greater than 0",
                "{'type':'integer','multipleOf':2} | 3 | f: Invalid value: 3: f in body should be a multiple of 2",
                "{'type':'string','maxLength':2} | 'abc' | f: Too long: may not be more than 2 bytes",
                "{'type':'string','minLength':2} | 'a' | f: Invalid value: 'a': f in body should be at least 2 chars long",
                "{'type':'string','pattern':'^a$'} | 'b' | f: Invalid value: 'b': f in body should match '^a$'",
                "{'type':'string','format':'date-time'} | 'x' | f: Invalid value: 'x': f in body must be of type date-time: 'x'",
                "{'type':'string','enum':['b','a']} | 'c' | f: Unsupported value: 'c': supported values: 'b', 'a'",
                "{'type':'array','maxItems':1,'items':{'type':'integer'}} | [1,2] | f: Too many: 2: must have at most 1 items",
                "{'type':'array','items':{'type':'integer'}} | [1,'x'] | f[1]: Invalid value: 'string': f[1] in body must be of type integer: 'string'",
                "{'type':'object','required':['g']} | {} | f.g: Required value",
                "{'type':'integer','oneOf':[{'minimum':5},{'maximum':9}]} | 7 | <nil>: Invalid value: '': 'f' must validate one and only one schema (oneOf). Found 2 valid alternatives",
                "{'type':'integer','anyOf':[{'minimum':5}]} | 1 | <nil>: Invalid value: '': 'f' must validate at least one schema (anyOf)",
                "{'type':'integer','not':{'minimum':5}} | 7 | <nil>: Invalid value: '': 'f' must not validate the schema (not)",
            })
    void tells_in_kubernetes_words(String schema, String value, String fault) {
        assertThat(faults(schema, value).stream()
                        .map(text -> text.replace('"', '\'').replace("\\", "")))
                .containsExactly(fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'integer'} | 2.0",
                "{'type':'number'} | 2",
                "{'type':'string','nullable':true} | null",
                "{'x-kubernetes-int-or-string':true} | '50%'",
                "{'type':'string','pattern':'b'} | 'abc'",
                "{'type':'string','format':'nobody-knows'} | 'abc'",
                "{'type':'integer','enum':[1,2]} | 2",
            })
    void takes_what_fits(String schema, String value) {
        assertThat(faults(schema, value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "date, 2030-02-28, 2030-02-30",
        "date-time, 2030-01-01T00:00:00Z, 2030-01-01",
        "ipv4, 10.0.0.1, 10.0.0.256",
        "ipv6, fe80::1, fe80::1::2",
        "cidr, 10.0.0.0/8, 10.0.0.0/33",
        "cidr, fe80::/10, fe80::/129",
        "uuid, 0f8fad5b-d9cb-469f-a165-70867728950e, 0f8fad5b",
        "duration, 1h30m, 1 fortnights and more",
        "byte, YWJj, a",
        "mac, 00:11:22:33:44:55, 00:11:22",
        "hexcolor, #ffffff, #ff",
        "uri, https://example.com/a, a b",
        "email, a@example.com, a",
        "isbn10, 0-306-40615-2, 0-306-40615-3",
    })
    void knows_formats(String format, String good, String bad) {
        assertThat(Formats.fits(format, good)).as(good).isTrue();
        assertThat(Formats.fits(format, bad)).as(bad).isFalse();
    }

    @Test
    void an_update_may_leave_what_is_wrong_as_it_was() {
        String schema = "{'type':'object','properties':{'l':{'type':'array','x-kubernetes-list-type':'map',"
                + "'x-kubernetes-list-map-keys':['k'],'items':{'type':'object','properties':{'k':{'type':'string'},"
                + "'v':{'type':'integer','maximum':1},'w':{'type':'integer'}}}},'n':{'type':'integer'}}}";
        String old = "{'l':[{'k':'a','v':5}]}";
        assertThat(faults(schema, "{'l':[{'k':'a','v':5}],'n':1}", old)).isEmpty();
        assertThat(faults(schema, "{'l':[{'k':'b'},{'k':'a','v':5,'w':1}]}", old))
                .isEmpty();
        assertThat(faults(schema, "{'l':[{'k':'a','v':6}]}", old)).hasSize(1);
    }

    @Test
    void an_expression_that_could_blow_up_is_matched_in_linear_time() {
        String text = "a".repeat(5_000) + "!";
        assertThat(faults("{'type':'string','pattern':'^(a+)+$'}", "'" + text + "'"))
                .hasSize(1);
    }

    @Test
    void duplicates_of_sets_and_maps_are_told_by_their_places() {
        var schema = StructuralSchema.ofResource(json("{'type':'object','properties':{'s':{'type':'array',"
                + "'x-kubernetes-list-type':'set','items':{'type':'string'}},'m':{'type':'array',"
                + "'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object',"
                + "'properties':{'k':{'type':'integer'}}}}}}"));
        var object = json("{'s':['a','b','a'],'m':[{'k':1,'v':1},{'k':1}]}");
        assertThat(ListTypes.duplicates(schema, object).stream().map(FieldError::text))
                .containsExactlyInAnyOrder("s[2]: Duplicate value: \"a\"", "m[1]: Duplicate value: {\"k\":1}");
    }
}
