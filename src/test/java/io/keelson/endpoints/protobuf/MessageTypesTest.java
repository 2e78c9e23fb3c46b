package io.keelson.endpoints.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class MessageTypesTest {
    @Test
    void theResourceIsWhatTheGeneratorMakes() throws IOException {
        assertThat(Files.readString(ProtobufFieldsGenerator.RESOURCE))
                .as("run ProtobufFieldsGenerator.main and look at what changed")
                .isEqualTo(new ProtobufFieldsGenerator().generate());
    }
}
