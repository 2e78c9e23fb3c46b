package io.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static Labels labels(String text) {
        var labels = new HashMap<String, String>();
        if (text != null) {
            for (String pair : text.split(";")) {
                labels.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }
        return Labels.of(labels);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `` | | true
            a=1 | a=1 | true
            a=1 | a=2 | false
            a=1 | | false
            a== 1 | a=1 | true
            a = 1 , b = 2 | a=1;b=2 | true
            a=1,b=2 | a=1 | false
            a= | a= | true
            a= | | false
            a=,b=1 | a=;b=1 | true
            a!=1 | a=2 | true
            a!=1 | a=1 | false
            a!=1 | | true
            a!= | | true
            a!= | a= | false
            a in (1,2) | a=2 | true
            a in (1,2) | a=3 | false
            a in (1,2) | | false
            a in(1) | a=1 | true
            a in ( 1 , 2 ) | a=2 | true
            a in () | a= | true
            a in () | a=1 | false
            a in () | | false
            a in (,1) | a= | true
            a in (1,,2) | a= | true
            in in (in,notin) | in=notin | true
            a notin (1,2) | a=3 | true
            a notin (1,2) | a=1 | false
            a notin (1,2) | | true
            a notin () | a= | false
            a notin () | | true
            a | a= | true
            a | | false
            !a | | true
            ! a | a=1 | false
            !a,b | b=1 | true
            a>1 | a=2 | true
            a>1 | a=1 | false
            a > 1 | a=x | false
            a>1 | | false
            a<10 | a=9 | true
            a<10 | a=10 | false
            a<10 | a= | false
            example.com/a=1 | example.com/a=1 | true
            """)
    void matches_as_the_API_says(String selector, String labels, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(labels(labels))).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            b=1,a==2 | a=2,b=1
            a in (3,1,2,1) | a in (1,2,3)
            a notin (x) | a notin (x)
            !a,b,c>1,d<2,e!=f | !a,b,c>1,d<2,e!=f
            """)
    void writes_what_it_read(String selector, String text) {
        assertThat(LabelSelector.parse(selector).toString()).isEqualTo(text);
        assertThat(LabelSelector.parse(text).toString()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a b c | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt
            a=1 b | found 'b', expected: ',' or 'end of string'
            a=1, | found '', expected: identifier after ','
            , | expected: !, identifier, or 'end of string'
            ,a | expected: !, identifier, or 'end of string'
            a,,b | expected: !, identifier, or 'end of string'
            !a=1 | found '=', expected: ',' or 'end of string'
            !!a | found '!'
            a=!b | found '!'
            a in | expected: '('
            a in 1 | expected: '('
            a in (1 | expected: ',' or ')'
            a in (1 2) | found '2', expected: ',' or ')'
            a in (1)) | found ')'
            (a) | found '('
            a>x | the value must be an integer
            a< | the value must be an integer
            a=b=c | found '='
            a=-x | a valid label must be
            a in (x,-y) | a valid label must be
            -a=1 | name part must consist of
            /a=1 | prefix part must be non-empty
            X.com/a | prefix part a lowercase RFC 1123 subdomain
            a=0123456789012345678901234567890123456789012345678901234567890123 | must be no more than 63
            """)
    void refuses_what_breaks_the_grammar(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
