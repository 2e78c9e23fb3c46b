package io.keelson.definitions;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDGenerator.AbstractCRDOutput;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** CustomResourceDefinitions made of classes by fabric8's generator, as operators in Java get theirs. Stateless. */
public final class GeneratedDefinition {
    private GeneratedDefinition() {}

    /** The definition of a custom resource in YAML, in UTF-8. */
    public static byte[] yaml(Class<? extends HasMetadata> type) {
        try (var output = new Memory()) {
            new CRDGenerator()
                    .customResourceClasses(List.of(type))
                    .forCRDVersions("v1")
                    .withOutput(output)
                    .generate();
            return output.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Memory extends AbstractCRDOutput<ByteArrayOutputStream> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        protected ByteArrayOutputStream createStreamFor(String name) {
            return bytes;
        }
    }
}
