package io.keelson.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.resources.fields.MalformedValueException;
import io.keelson.resources.fields.Quantities;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "0,0",
        "0.5,500m",
        "1000m,1",
        "1500m,1500m",
        "100000,100k",
        "1.5Gi,1536Mi",
        "1024Mi,1Gi",
        "0.5Ki,512",
        "1e3,1e3",
        "12e6,12e6",
        "2E,2E",
        ".5,500m",
        "0.0000000001,1n",
        "-1,-1"
    })
    void canonical_form_has_no_fraction_and_the_largest_suffix(String text, String canonical) {
        assertThat(Quantities.canonical(text)).isEqualTo(canonical);
        assertThat(Quantities.canonical(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "1 Gi", "1ki", "1.2.3", "--1", "1e", "Gi"})
    void what_is_no_quantity_is_refused(String text) {
        assertThatThrownBy(() -> Quantities.canonical(text))
                .isInstanceOf(MalformedValueException.class)
                .hasMessageStartingWith("quantities must match the regular expression");
    }
}
