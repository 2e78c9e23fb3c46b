package io.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class LabelsTest {
    @Property(tries = 200)
    void finds_what_a_map_finds(
            @ForAll @Size(max = 20) Map<@AlphaChars @StringLength(max = 2) String, String> map,
            @ForAll @AlphaChars @StringLength(max = 2) String absent) {
        Labels labels = Labels.of(map);
        map.forEach((key, value) -> assertThat(labels.get(key)).isEqualTo(value));
        assertThat(labels.get(absent)).isEqualTo(map.get(absent));
        assertThat(labels.has(absent)).isEqualTo(map.containsKey(absent));
        assertThat(labels.size()).isEqualTo(map.size());
        assertThat(labels).isEqualTo(Labels.of(new HashMap<>(map))).hasSameHashCodeAs(Labels.of(new HashMap<>(map)));
    }

    @Test
    void shows_as_tables_do() {
        assertThat(Labels.of(Map.of("b", "2", "a", "1")).toString()).isEqualTo("a=1,b=2");
        assertThat(Labels.NONE.toString()).isEqualTo("<none>");
        assertThat(Labels.of(Map.of())).isSameAs(Labels.NONE);
    }

    @Test
    void shares_equal_short_strings_and_holds_no_long_ones() {
        String first = Labels.share(new String("some-label"));
        assertThat(Labels.share(new String("some-label"))).isSameAs(first);
        String large = Labels.share("x".repeat(1000));
        assertThat(Labels.share("x".repeat(1000))).isEqualTo(large).isNotSameAs(large);
    }
}
