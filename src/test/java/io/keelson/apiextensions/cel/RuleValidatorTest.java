package io.keelson.apiextensions.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.StructuralSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleValidatorTest {
    private static final String FIELDS = "'properties':{'n':{'type':'integer'},'m':{'type':'integer'},"
            + "'s':{'type':'string'},'l':{'type':'array','items':{'type':'integer'}},'x-y':{'type':'string'},"
            + "'t':{'type':'string','format':'date-time'},'d':{'type':'string','format':'duration'},"
            + "'q':{'x-kubernetes-int-or-string':true},'f':{'type':'number'},"
            + "'o':{'type':'object','properties':{'a':{'type':'string'}}},"
            + "'p':{'type':'object','additionalProperties':{'type':'string'}}}";

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode schema(String rule) {
        return json("{'type':'object','properties':{'spec':{'type':'object'," + FIELDS + ",'x-kubernetes-validations':["
                + rule + "]}}}");
    }

    private static List<String> faults(String rule, String spec, @Nullable String old) {
        JsonNode schema = schema(rule);
        assertThat(RuleCheck.validate(schema, Path.ROOT)).as(rule).isEmpty();
        return new RuleValidator(StructuralSchema.ofResource(schema))
                .validate(json("{'spec':" + spec + "}"), old == null ? null : json("{'spec':" + old + "}")).stream()
                        .map(FieldError::text)
                        .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "self.n <= self.m",
                "self.s.startsWith('a') && self.s.matches('^a.c$')",
                "self.l.all(i, i > 0) && self.l.exists(i, i == 3) && size(self.l) == 3",
                "self.l.isSorted() && self.l.sum() == 6 && self.l.max() == 3 && self.l.min() == 1 && self.l.indexOf(2) == 1",
                "self.x__dash__y == 'v'",
                "self.t > timestamp('2020-01-01T00:00:00Z')",
                "self.d > duration('1h') && self.d < duration('2h')",
                "self.q == '50%' || self.q == 5",
                "self.f > 1 && self.f < 2.0",
                "self.o.a == 'b' && self.p['k'] == 'v' && 'k' in self.p && self.p.all(k, k.size() == 1)",
                "self.?o.?a.orValue('') == 'b'",
                "quantity('1Gi').compareTo(quantity('500Mi')) == 1 && quantity('2').add(1).asInteger() == 3",
                "isURL('https://example.com:80/a?b=c') && url('https://example.com:80/a?b=c').getHostname() == 'example.com'",
                "url('https://example.com/a?b=c').getQuery()['b'] == ['c']",
                "isIP('10.0.0.1') && ip('::1').isLoopback() && ip('10.0.0.1').family() == 4 && !isIP('10.0.0.256')",
                "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))",
                "cidr('192.168.1.5/24').masked() == cidr('192.168.1.0/24') && string(ip('fe80:0:0::1')) == 'fe80::1'",
                "'abc123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]') == ['1','2']",
                "!format.dns1123Label().validate('Bad').hasValue() == false",
                "format.named('dns1123Label').value().validate('good') == optional.none()",
                "'%s has %d of %.1f'.format(['a', 2, 1.25]) == 'a has 2 of 1.2'",
                "sets.contains([1, 2], [1]) && self.s.upperAscii() == 'ABC' && 'a,b'.split(',').join('-') == 'a-b'",
                "cel.bind(x, self.n, x + 1 == 2)",
            })
    void rules_may_say(String rule) {
        String spec = "{'n':1,'m':2,'s':'abc','l':[1,2,3],'x-y':'v','t':'2030-01-01T00:00:00Z','d':'1h30m','q':'50%',"
                + "'f':1.5,'o':{'a':'b'},'p':{'k':'v'}}";
        JsonNode schema = json("{'type':'object','properties':{'spec':{'type':'object'," + FIELDS + "}}}");
        ((ObjectNode) schema.at("/properties/spec"))
                .putArray("x-kubernetes-validations")
                .addObject()
                .put("rule", rule);
        assertThat(RuleCheck.validate(schema, Path.ROOT)).as(rule).isEmpty();
        assertThat(new RuleValidator(StructuralSchema.ofResource(schema)).validate(json("{'spec':" + spec + "}"), null))
                .as(rule)
                .isEmpty();
    }

    @Test
    void a_broken_rule_is_told_where_and_as_it_says() {
        assertThat(faults("{'rule':'self.n < 0'}", "{'n':1}", null))
                .containsExactly("spec: Invalid value: failed rule: self.n < 0");
        assertThat(faults("{'rule':'self.n < 0','message':'no','fieldPath':'.n'}", "{'n':1}", null))
                .containsExactly("spec.n: Invalid value: no");
        assertThat(faults("{'rule':'self.n < 0','message':'no','reason':'FieldValueForbidden'}", "{'n':1}", null))
                .containsExactly("spec: Forbidden: no");
        assertThat(faults(
                        "{'rule':'self.n < 0','messageExpression':'string(self.n) + \\u0027 is not below 0\\u0027'}",
                        "{'n':1}",
                        null))
                .containsExactly("spec: Invalid value: 1 is not below 0");
        assertThat(faults("{'rule':'self.n < 0','message':'no'}", "{}", null))
                .hasSize(1)
                .allMatch(fault -> fault.startsWith("spec: Invalid value: ") && fault.endsWith("evaluating rule: no"));
    }

    @Test
    void transitions_are_judged_by_what_was() {
        String grows = "{'rule':'self.n >= oldSelf.n'}";
        assertThat(faults(grows, "{'n':1}", null)).isEmpty();
        assertThat(faults(grows, "{'n':2}", "{'n':1}")).isEmpty();
        assertThat(faults(grows, "{'n':1}", "{'n':2}")).hasSize(1);
        String given = "{'rule':'oldSelf.hasValue() || self.n == 0','optionalOldSelf':true}";
        assertThat(faults(given, "{'n':1}", null)).hasSize(1);
        assertThat(faults(given, "{'n':1}", "{'n':5}")).isEmpty();
    }

    @Test
    void what_an_update_leaves_as_it_was_is_not_judged_again() {
        assertThat(faults("{'rule':'self.n < 0'}", "{'n':1}", "{'n':1}")).isEmpty();
    }

    @Test
    void a_rule_that_takes_too_long_is_stopped() {
        String list = "[" + "1,".repeat(399) + "1]";
        assertThat(faults(
                        "{'rule':'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > 0)))'}",
                        "{'l':" + list + "}",
                        null))
                .hasSize(1);
    }

    @Test
    void rules_that_do_not_compile_are_told() {
        assertThat(RuleCheck.validate(schema("{'rule':'self.nope == 1'}"), Path.ROOT).stream()
                        .map(FieldError::message))
                .containsExactly(
                        "Invalid value: {\"Rule\":\"self.nope == 1\",\"Message\":\"\",\"MessageExpression\":\"\","
                                + "\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR:"
                                + " <input>:1:5: undefined field 'nope'\n | self.nope == 1\n | ....^");
        assertThat(RuleCheck.validate(schema("{'rule':'self.n'}"), Path.ROOT)).hasSize(1);
        assertThat(RuleCheck.validate(schema("{'rule':''}"), Path.ROOT)).hasSize(1);
        assertThat(RuleCheck.validate(schema("{'rule':'true','fieldPath':'.zz'}"), Path.ROOT))
                .hasSize(1);
    }
}
