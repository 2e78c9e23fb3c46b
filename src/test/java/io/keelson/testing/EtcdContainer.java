package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * etcd in a container on the host's network, with the test's folder mounted under its own path, so that ports, data and
 * certificates are the same as those of a process.
 */
final class EtcdContainer implements EtcdRunner {
    private static final int STOP_LIMIT_SECONDS = 20;

    private final String image;
    private final Path folder;
    private @Nullable GenericContainer<?> container;

    EtcdContainer(String image, Path folder) {
        this.image = image;
        this.folder = folder;
    }

    @Override
    public void start(List<String> flags, Path log) {
        List<String> command = new ArrayList<>();
        command.add("etcd");
        command.addAll(flags);
        GenericContainer<?> started = new GenericContainer<>(DockerImageName.parse(image))
                .withNetworkMode("host")
                .withFileSystemBind(folder.toString(), folder.toString())
                .withCommand(command.toArray(String[]::new))
                .withEnv("ETCDCTL_API", "3")
                .withStartupTimeout(Duration.ofMinutes(2))
                .withLogConsumer(frame -> append(log, frame.getUtf8String()))
                .withCreateContainerCmdModifier(
                        create -> create.withEntrypoint().withUser(owner()));
        started.start();
        container = started;
    }

    @Override
    public boolean alive() {
        return container != null && container.isRunning();
    }

    @Override
    public void stop() {
        if (container != null) {
            if (alive()) {
                container
                        .getDockerClient()
                        .stopContainerCmd(container.getContainerId())
                        .withTimeout(STOP_LIMIT_SECONDS)
                        .exec();
            }
            container.stop();
        }
    }

    @Override
    public void kill() {
        if (container != null) {
            if (alive()) {
                container
                        .getDockerClient()
                        .killContainerCmd(container.getContainerId())
                        .exec();
            }
            container.stop();
        }
    }

    @Override
    public String etcdctl(List<String> arguments) {
        if (container == null) {
            throw new IllegalStateException("the container was not started");
        }
        List<String> command = new ArrayList<>();
        command.add("etcdctl");
        command.addAll(arguments);
        try {
            Container.ExecResult result = container.execInContainer(command.toArray(String[]::new));
            if (result.getExitCode() != 0) {
                throw new AssertionError(
                        "%s ended with code %d: %s".formatted(command, result.getExitCode(), result.getStderr()));
            }
            return result.getStdout();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for etcdctl", e);
        }
    }

    /** The user that owns the folder, so that the test can delete what etcd writes there. */
    private String owner() {
        try {
            return String.valueOf(Files.getAttribute(folder, "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void append(Path log, String text) {
        try {
            Files.writeString(log, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
