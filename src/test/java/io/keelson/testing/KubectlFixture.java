package io.keelson.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;

/** A server with the real kubectl, for tests that do what people do with it. */
public abstract class KubectlFixture extends ServerFixture {
    private Kubectl kubectl;

    @BeforeAll
    final void prepareKubectl() throws IOException {
        kubectl = new Kubectl(server().kubeconfig(), Files.createDirectory(folder().resolve("home")));
    }

    protected final Kubectl kubectl() {
        return kubectl;
    }

    /** What kubectl prints, which has to succeed, in the namespace of the test. */
    protected final String call(String... arguments) {
        return kubectl.call(Stream.concat(Stream.of("-n", namespace()), Stream.of(arguments))
                .toArray(String[]::new));
    }

    /** Applies a manifest in the namespace of the test. */
    protected final Kubectl.Result apply(String manifest, String... options) {
        return kubectl.runWithInput(
                manifest,
                Stream.concat(Stream.of("-n", namespace(), "apply", "-f", "-"), List.of(options).stream())
                        .toArray(String[]::new));
    }
}
