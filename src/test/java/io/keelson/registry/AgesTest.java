package io.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-03-01T12:00:00Z,0s",
        "2026-03-01T11:59:59Z,1s",
        "2026-03-01T11:58:00Z,2m",
        "2026-03-01T11:54:50Z,5m10s",
        "2026-02-28T12:00:00Z,24h",
        "2024-02-29T00:00:00Z,2y1d",
        "2026-03-01T11:59:59.999999Z,0s",
        "2026-03-01T12:59:50+01:00,10s",
        "2026-03-01T13:00:00Z,<invalid>",
        "2026-02-30T00:00:00Z,<invalid>",
        "2026-02-28T24:00:01Z,<invalid>",
        "2026-02-2 T00:00:00Z,<invalid>",
        "yesterday,<invalid>",
        "'',<unknown>",
    })
    void showsHowLongAgoATimestampWas(String timestamp, String age) {
        assertThat(Ages.since(timestamp, NOW)).isEqualTo(age);
    }
}
