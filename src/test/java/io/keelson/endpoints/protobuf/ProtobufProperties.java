package io.keelson.endpoints.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;

/** Whatever is sent is either read or refused with words for the sender. */
class ProtobufProperties {
    private static final List<Bodies.Recorded> RECORDED = Bodies.recorded();
    private static final int LARGE = 3 * 1024 * 1024;

    @Provide
    Arbitrary<Bodies.Recorded> recorded() {
        return Arbitraries.of(RECORDED);
    }

    @Example
    void bodiesThatAreCutOff() {
        for (Bodies.Recorded recorded : RECORDED) {
            for (int length = 0; length < recorded.body().length; length++) {
                readOrRefuse(Arrays.copyOf(recorded.body(), length));
            }
        }
    }

    @Property(tries = 5000)
    void bodiesThatAreDamaged(
            @ForAll("recorded") Bodies.Recorded recorded, @ForAll int position, @ForAll byte value, @ForAll int other) {
        byte[] body = recorded.body().clone();
        body[Math.floorMod(position, body.length)] = value;
        body[Math.floorMod(other, body.length)] ^= (byte) (1 << Math.floorMod(other, 8));
        readOrRefuse(body);
    }

    @Property(tries = 5000)
    void kindsOfRandomBytes(@ForAll("recorded") Bodies.Recorded recorded, @ForAll byte[] bytes) {
        String apiVersion = recorded.json().path("apiVersion").asText();
        String kind = recorded.json().path("kind").asText();
        readOrRefuse(Bodies.body(apiVersion, kind, ByteString.copyFrom(bytes)));
        readOrRefuse(bytes);
    }

    @Example
    void messagesThatNestDeep() {
        // CustomResourceDefinition.spec.versions.schema.openAPIV3Schema, then .not of .not of ...
        ByteString message = ByteString.EMPTY;
        for (int level = 0; level < 2 * Json.MAX_DEPTH; level++) {
            message = field(28, message);
        }
        message = field(2, field(7, field(4, field(1, message))));
        ProtobufTest.assertRefused(
                Bodies.body("apiextensions.k8s.io/v1", "CustomResourceDefinition", message), "deeper than");
    }

    @Example
    void documentsThatNestDeep() {
        String deep = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
        ByteString data = field(2, field(1, ByteString.copyFromUtf8(deep)));
        ProtobufTest.assertRefused(Bodies.body("apps/v1", "ControllerRevision", data), "deeper than");
    }

    @Example
    void groupsThatNestDeep() {
        byte[] groups = new byte[LARGE];
        Arrays.fill(groups, (byte) (15 << 3 | 3));
        ProtobufTest.assertRefused(Bodies.body("v1", "ConfigMap", ByteString.copyFrom(groups)), "damaged");
    }

    @Example
    void largeBodiesOfTheSmallestParts() {
        byte[] parts = new byte[LARGE];
        for (int i = 0; i < parts.length; i += 2) {
            parts[i] = 2 << 3 | 2;
        }
        byte[] body = Bodies.body("v1", "ConfigMap", ByteString.copyFrom(parts));
        Assertions.assertTimeout(Duration.ofSeconds(20), () -> readOrRefuse(body));
    }

    private static ByteString field(int number, ByteString content) {
        var unknown = UnknownFieldSet.newBuilder()
                .addField(
                        number,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(content)
                                .build());
        return unknown.build().toByteString();
    }

    private static void readOrRefuse(byte[] body) {
        try {
            assertThat(Protobuf.parse(body).path("kind").isTextual()).isTrue();
        } catch (BadJsonException refused) {
            assertThat(refused).hasMessageStartingWith("the body is not valid protobuf");
        }
    }
}
