package io.keelson.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the namespaces that exist from the start, as soon as the store can be written. Several servers may do so at once. */
final class Bootstrap implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
    private static final List<String> NAMESPACES = List.of("default", "kube-system");
    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);

    private final Supplier<RegistryStore> namespaces;
    private final InstantSource clock;
    private final Thread thread = Thread.ofVirtual().name("bootstrap").unstarted(this::run);
    private volatile boolean done;

    Bootstrap(Supplier<RegistryStore> namespaces, InstantSource clock) {
        this.namespaces = namespaces;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    boolean done() {
        return done;
    }

    private void run() {
        Duration retry = FIRST_RETRY;
        while (true) {
            try {
                NAMESPACES.forEach(this::ensure);
                done = true;
                return;
            } catch (StorageException | ApiException e) {
                LOG.warn("The first namespaces cannot be made yet: {}", e.getMessage());
            }
            try {
                Thread.sleep(retry);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            retry = retry.multipliedBy(2).compareTo(LAST_RETRY) > 0 ? LAST_RETRY : retry.multipliedBy(2);
        }
    }

    private void ensure(String name) {
        RegistryStore store = namespaces.get();
        RequestContext context = RequestContext.internal("", clock.instant());
        try {
            store.get(context, name, null);
            return;
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
        ObjectNode namespace = Json.object();
        namespace
                .put("apiVersion", "v1")
                .put("kind", "Namespace")
                .putObject("metadata")
                .put("name", name);
        try {
            store.create(context, "", namespace);
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.ALREADY_EXISTS) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
