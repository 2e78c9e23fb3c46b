package io.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    @Property(tries = 1000)
    void subdomains_are_what_the_shown_expression_says(
            @ForAll @Chars({'.', '-', 'A', '_'}) @CharRange(from = 'a', to = 'b') @StringLength(max = 7) String name) {
        assertThat(Names.subdomain(name).isEmpty())
                .isEqualTo(SUBDOMAIN.matcher(name).matches());
    }

    @Test
    void judges_names_of_any_length() {
        assertThat(Names.subdomain("a".repeat(253))).isEmpty();
        assertThat(Names.subdomain("a".repeat(254))).containsExactly("must be no more than 253 characters");
        assertThat(Names.subdomain("a.".repeat(1_000_000))).hasSize(2);
        assertThat(Names.label("a".repeat(63))).isEmpty();
        assertThat(Names.label("a".repeat(64))).containsExactly("must be no more than 63 characters");
        assertThat(Names.label("-".repeat(1_000_000))).hasSize(2);
        assertThat(Names.labelKey("a".repeat(63))).isEmpty();
        assertThat(Names.labelKey("x.y/" + "a".repeat(64))).containsExactly("name part must be no more than 63 bytes");
        assertThat(Names.labelKey("a.".repeat(1_000_000))).hasSize(2);
        assertThat(Names.labelValue("a".repeat(64))).containsExactly("must be no more than 63 bytes");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "ok", textBlock = """
            a-1 | ok
            a.b | must not contain dots
            A | a lowercase RFC 1123 label must consist of
            '' | a lowercase RFC 1123 label must consist of
            """)
    void judges_labels(String name, String fault) {
        expect(Names.label(name), fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "ok", textBlock = """
            a-1 | ok
            1a | a DNS-1035 label must consist of
            a.b | a DNS-1035 label must consist of
            """)
    void judges_older_labels(String name, String fault) {
        expect(Names.label1035(name), fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "ok", textBlock = """
            a | ok
            A_b.c-d | ok
            example.com/Name | ok
            /x | prefix part must be non-empty
            Example.com/x | prefix part a lowercase RFC 1123 subdomain must consist of
            a/b/c | with an optional DNS subdomain prefix and '/'
            a b | name part must consist of
            -a | name part must consist of
            """)
    void judges_label_keys(String key, String fault) {
        expect(Names.labelKey(key), fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1", "A_b.c-d"})
    void takes_label_values(String value) {
        assertThat(Names.labelValue(value)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "a b", "a/b", "é", "a\n"})
    void refuses_label_values(String value) {
        expect(Names.labelValue(value), "a valid label must be an empty string or");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "ok", textBlock = """
            a.b_C-1 | ok
            .a | ok
            . | must not be '.'
            .. | must not be '..'
            ..a | must not start with '..'
            bad key! | a valid config key must consist of
            """)
    void judges_config_keys(String key, String fault) {
        expect(Names.configKey(key), fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "ok", textBlock = """
            system:node | ok
            . | may not be '.'
            a/b | may not contain '/'
            a%b | may not contain '%'
            """)
    void judges_path_segments(String name, String fault) {
        expect(Names.pathSegment(name), fault);
    }

    private static void expect(List<String> faults, String fault) {
        if (fault == null) {
            assertThat(faults).isEmpty();
        } else {
            assertThat(faults).singleElement().asString().contains(fault);
        }
    }
}
