package io.keelson.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An object that is packed differs from itself in nothing but the memory it takes. */
class PackedTest {
    private static final byte[] STORED =
            ("{\"apiVersion\":\"example.com/v1\",\"kind\":\"K\",\"metadata\":{\"name\":\"x\",\"uid\":\"u\"},\"spec\":\""
                            + "A long text. ".repeat(10_000) + "\"}")
                    .getBytes(UTF_8);

    private final ApiObject plain = new ObjectDecoder(SelectableFields.NONE).decode(STORED, 99);
    private final ApiObject packed = plain.packed();

    @Test
    void tells_the_same() {
        assertThat(plain.isPacked()).isFalse();
        assertThat(packed.isPacked()).isTrue();
        assertThat(packed.packed()).isSameAs(packed);
        assertThat(packed.json()).isEqualTo(plain.json());
        assertThat(packed).hasToString(plain.toString());
        assertThat(packed.meta()).isSameAs(plain.meta());
        assertThat(packed.resourceVersion()).isEqualTo(99);
        assertThat(packed.itemStart()).isEqualTo(plain.itemStart());
        assertThat(packed.isOf("example.com/v1")).isTrue();
        assertThat(packed.isOf("example.com/v2")).isFalse();
    }

    @Test
    void tells_the_metadata_without_the_rest() {
        byte[] head = packed.head();
        assertThat(head).hasSize(packed.metadataEnd());
        assertThat(new String(head, packed.metadataStart(), packed.metadataEnd() - packed.metadataStart(), UTF_8))
                .isEqualTo("{\"resourceVersion\":\"99\",\"name\":\"x\",\"uid\":\"u\"}");
        assertThat(plain.head()).isSameAs(plain.json());
    }

    @Test
    void compares_with_what_is_stored() {
        assertThat(packed.sameStoredBytes(STORED)).isTrue();
        assertThat(packed.sameStoredLength(STORED)).isTrue();
        byte[] other = STORED.clone();
        other[other.length - 3] = 'x';
        assertThat(packed.sameStoredBytes(other)).isFalse();
        assertThat(packed.sameStoredLength(other)).isTrue();
    }

    @Test
    void stays_packed_with_another_revision() {
        ApiObject stamped = packed.withResourceVersion(100_000);
        assertThat(stamped.isPacked()).isTrue();
        assertThat(stamped.json()).isEqualTo(plain.withResourceVersion(100_000).json());
        assertThat(stamped.metadataEnd())
                .isEqualTo(plain.withResourceVersion(100_000).metadataEnd());
        assertThat(packed.withApiVersion("example.com/v1beta1").json())
                .isEqualTo(plain.withApiVersion("example.com/v1beta1").json());
    }

    @Test
    void an_event_keeps_no_frame_of_it() {
        var framing = new WatchEvent.Framing() {
            private int encoded;

            @Override
            public int slot() {
                return 0;
            }

            @Override
            public byte[] encode(WatchEvent event) {
                encoded++;
                return event.json();
            }
        };
        WatchEvent event = WatchEvent.of(WatchEventType.ADDED, packed);
        assertThat(event.frame(framing)).isEqualTo(plain.json());
        assertThat(event.frame(framing)).isEqualTo(plain.json());
        assertThat(framing.encoded).isEqualTo(2);
    }
}
