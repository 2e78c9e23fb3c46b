package io.keelson.endpoints.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GzipTest {
    private static byte[] random(int length) {
        var bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Test
    void compresses_pieces_as_they_are_taken() throws IOException {
        var pieces = new ArrayList<byte[]>();
        for (int i = 0; i < 20; i++) {
            pieces.add(random(50_000));
        }
        var gzip = new Gzip(pieces.iterator());
        var all = new Pieces();
        int count = 0;
        while (gzip.hasNext()) {
            all.add(gzip.next());
            count++;
        }
        assertThat(count).isGreaterThan(5);
        var whole = new Pieces();
        pieces.forEach(whole::add);
        try (var in = new GZIPInputStream(new ByteArrayInputStream(all.join()))) {
            assertThat(in.readAllBytes()).isEqualTo(whole.join());
        }
    }

    @Test
    void compresses_what_repeats() {
        assertThat(new Gzip(List.of(new byte[1_000_000]).iterator()).join()).hasSizeLessThan(10_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none | false
            identity | false
            gzip | true
            br, GZIP ;q=0.5 | true
            gzip;q=0, br | false
            gzip; q=0.0 | false
            x-gzipped | false
            """)
    void is_for_those_who_accept_it(String header, boolean accepted) {
        assertThat(Gzip.isAccepted(header)).isEqualTo(accepted);
    }
}
