package io.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorTest {
    private static final Map<String, String> FIELDS = Map.of("a", "1", "b.c", "x,y=z\\", "d", "");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `` | true
            , | true
            a=1 | true
            a==1 | true
            a=2 | false
            a!=2 | true
            a!=1 | false
            a=1,d= | true
            a=1,,d!=x, | true
            a=1,a!=1 | false
            unset= | true
            unset!=x | true
            b.c=x\\,y\\=z\\\\ | true
            a= 1 | false
            """)
    void matches(String selector, boolean matches) {
        assertThat(FieldSelector.parse(selector).matches(field -> FIELDS.getOrDefault(field, "")))
                .isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a | invalid selector: 'a'; can't understand 'a'
            a=1,b | can't understand 'b'
            a=b=c | unescaped character in value
            a=\\x | invalid escape sequence
            a=x\\ | invalid escape sequence
            """)
    void refuses_what_breaks_the_grammar(String selector, String message) {
        assertThatThrownBy(() -> FieldSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void knows_the_value_a_field_must_have() {
        FieldSelector selector = FieldSelector.parse("metadata.name=x,a!=y");
        assertThat(selector.requiredValue("metadata.name")).isEqualTo("x");
        assertThat(selector.requiredValue("a")).isNull();
        assertThat(selector.requiredValue("b")).isNull();
        assertThat(selector.everything()).isFalse();
        assertThat(FieldSelector.parse("").everything()).isTrue();
    }

    @Test
    void writes_what_it_read() {
        for (String text : List.of("a=1,b!=2", "a=x\\,y\\=z\\\\")) {
            assertThat(FieldSelector.parse(text).toString()).isEqualTo(text);
        }
    }
}
