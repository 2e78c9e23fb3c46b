package io.keelson.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarningHeadersTest {
    @Test
    void texts_are_quoted_each_once() {
        assertThat(WarningHeaders.of(List.of("unknown field \"a\\b\"", "two\r\nlines", "two\r\nlines")))
                .containsExactly("299 - \"unknown field \\\"a\\\\b\\\"\"", "299 - \"two  lines\"");
    }

    @Test
    void what_is_not_ascii_goes_as_its_bytes() {
        String header = WarningHeaders.of(List.of("größe")).getFirst();
        assertThat(new String(header.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .isEqualTo("299 - \"größe\"");
    }

    @Test
    void together_they_are_bounded() {
        var many = IntStream.range(0, 1000).mapToObj(i -> i + "x".repeat(400)).toList();
        assertThat(WarningHeaders.of(many))
                .hasSize(WarningHeaders.MAX_TOTAL / WarningHeaders.MAX_EACH)
                .allSatisfy(header -> assertThat(header).hasSize(WarningHeaders.MAX_EACH + "299 - \"\"".length()));
        assertThat(WarningHeaders.of(List.of("y".repeat(1000))).getFirst()).hasSize(1000 + "299 - \"\"".length());
    }
}
