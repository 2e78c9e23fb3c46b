package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** etcd as a process of this machine. */
final class EtcdProcess implements EtcdRunner {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A test run that is broken off leaves no etcd behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final EtcdVersion version;
    private @Nullable Process process;

    EtcdProcess(EtcdVersion version) {
        this.version = version;
    }

    @Override
    public void start(List<String> flags, Path log) {
        List<String> command = new ArrayList<>();
        command.add(TestTools.etcd(version).toString());
        command.addAll(flags);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            RUNNING.add(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean alive() {
        return process != null && process.isAlive();
    }

    @Override
    public void stop() {
        if (process != null) {
            process.destroy();
            awaitEnd(process);
        }
    }

    @Override
    public void kill() {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd(process);
        }
    }

    @Override
    public String etcdctl(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(TestTools.etcdctl(version).toString());
        command.addAll(arguments);
        return Commands.run(Map.of("ETCDCTL_API", "3"), command);
    }

    private static void awaitEnd(Process process) {
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("etcd did not end within " + STOP_LIMIT);
            }
            RUNNING.remove(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while etcd was stopping", e);
        }
    }
}
