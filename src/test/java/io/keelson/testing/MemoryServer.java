package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One packaged server with its store in memory for all test classes of a run that ask for it, started by the first and
 * ended with the run. A test shares nothing with others that it puts into a namespace of its own, which it gets as a
 * parameter of type {@link Namespace}; the server comes as {@link ServerProcess} and {@link ApiClient}.
 */
public final class MemoryServer implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(MemoryServer.class);

    /** A namespace that was made for one test. */
    public record Namespace(String name) {
        /** The path of a core resource in it. */
        public String path(String resource) {
            return "/api/v1/namespaces/" + name + "/" + resource;
        }
    }

    private record Running(Path folder, ServerProcess server, ApiClient client) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ServerProcess.class || type == ApiClient.class || type == Namespace.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Running running = context.getRoot().getStore(STORE).computeIfAbsent("server", key -> start(), Running.class);
        Class<?> type = parameter.getParameter().getType();
        if (type == ServerProcess.class) {
            return running.server();
        }
        if (type == ApiClient.class) {
            return running.client();
        }
        String name = "test-" + UUID.randomUUID();
        running.client().createNamespace(name);
        return new Namespace(name);
    }

    private static Running start() {
        try {
            Path folder = Files.createTempDirectory("keelson-memory");
            ServerProcess server = ServerProcess.inMemory(folder).start();
            return new Running(folder, server, new ApiClient(server.url()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
