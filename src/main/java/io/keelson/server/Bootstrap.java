package io.keelson.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.resources.FirstObjects;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the objects that exist from the start, as soon as the store can be written. Several servers may do so at once, and
 * what is there stays as it is.
 */
final class Bootstrap implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);

    private final List<RegistryStore> stores;
    private final LocalApiServices apiServices;
    private final InstantSource clock;
    private final Thread thread = Thread.ofVirtual().name("bootstrap").unstarted(this::run);
    private volatile boolean done;

    Bootstrap(List<RegistryStore> stores, LocalApiServices apiServices, InstantSource clock) {
        this.stores = List.copyOf(stores);
        this.apiServices = apiServices;
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
                makeAll();
                done = true;
                return;
            } catch (StorageException.NotReady e) {
                LOG.debug("The first objects wait for the caches: {}", e.getMessage());
            } catch (StorageException | ApiException e) {
                LOG.warn("The first objects cannot be made yet: {}", e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
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

    /** All at once, so that the store writes them together. */
    private void makeAll() throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Stream<Future<?>> objects = FirstObjects.all().stream()
                    .flatMap(object -> stores.stream()
                            .filter(store -> isOf(store, object))
                            .map(store -> threads.submit(() -> ensure(store, clock, object))));
            Stream<Future<?>> registrations = apiServices.missing().stream()
                    .map(registration -> threads.submit(() -> apiServices.ensure(registration)));
            for (Future<?> one : Stream.concat(objects, registrations).toList()) {
                one.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static boolean isOf(RegistryStore store, ObjectNode object) {
        return store.definition()
                        .kind()
                        .apiVersion()
                        .equals(object.path("apiVersion").asText())
                && store.definition().kind().kind().equals(object.path("kind").asText());
    }

    /** Creates an object unless there is one of its name. */
    static void ensure(RegistryStore store, InstantSource clock, ObjectNode object) {
        RequestContext context = RequestContext.internal("", clock.instant());
        try {
            store.get(context, object.path("metadata").path("name").asText(), null);
            return;
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
        try {
            store.create(context, "", object);
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
