package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.controllers.NamespaceContents.Pass;
import io.keelson.controllers.WorkQueue.Outcome;
import io.keelson.registry.NamespaceFinalizeRest;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.StatusRest;
import io.keelson.resources.core.Namespaces;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.Preconditions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends namespaces that are being deleted: empties them, says in their status what is left, and lets them go by taking
 * {@value Namespaces#FINALIZER} out of {@code spec.finalizers} when a look at every resource found nothing.
 *
 * <p>Two servers may do so at once on one store, while one takes over from another. Deleting twice is harmless: what is
 * deleted was listed while the very namespace (by uid) was still on its way out, and goes by its own uid; so a server
 * that lags behind never touches what lives in a namespace that was made again. Conditions and finalizer are written by
 * updates that do nothing where another server has written the same.
 *
 * <p>Thread-safe. Works on virtual threads from {@link #start} to {@link #close}; errors of storage delay it.
 */
public final class NamespaceLifecycle implements AutoCloseable {
    /** How many namespaces are emptied at the same time. */
    private static final int WORKERS = 4;

    /** How many namespaces may be on their way out; others wait until the next list has room for them. */
    private static final int MAX_NAMESPACES = 10_000;

    /**
     * How this controller times its work.
     *
     * @param backoff between looks at a namespace that something holds, and after failures
     * @param settle how long a namespace is known to be on its way out before it may go. Objects that were let in just
     *     before, by a server whose cache did not know yet, are written by then and found.
     */
    record Timing(Backoff backoff, Duration settle) {
        static final Timing DEFAULT = new Timing(Backoff.DEFAULT, Duration.ofMillis(500));
    }

    /** One life of a namespace; the name may be used again. */
    private record Life(String name, String uid) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final RegistryStore namespaces;
    private final StatusRest status;
    private final NamespaceFinalizeRest finalize;
    private final NamespaceContents contents;
    private final InstantSource clock;
    private final Timing timing;
    private final WorkQueue<Life> queue;
    private final Informer informer;

    /** @param stores of all resources that are served at the time of the call */
    public NamespaceLifecycle(
            RegistryStore namespaces, Supplier<? extends Collection<RegistryStore>> stores, InstantSource clock) {
        this(namespaces, stores, clock, Timing.DEFAULT);
    }

    NamespaceLifecycle(
            RegistryStore namespaces,
            Supplier<? extends Collection<RegistryStore>> stores,
            InstantSource clock,
            Timing timing) {
        this.namespaces = namespaces;
        this.status = new StatusRest(namespaces);
        this.finalize = new NamespaceFinalizeRest(namespaces);
        this.contents = new NamespaceContents(stores, clock);
        this.clock = clock;
        this.timing = timing;
        this.queue = new WorkQueue<>("namespace", WORKERS, MAX_NAMESPACES, timing.backoff(), this::work);
        this.informer = new Informer(namespaces, timing.backoff(), clock, this::offer);
    }

    /** Begins to follow namespaces; returns at once, whether or not the store can be reached. */
    public void start() {
        queue.start();
        informer.start();
    }

    private boolean offer(ApiObject namespace) {
        return !namespace.meta().beingDeleted()
                || queue.add(new Life(namespace.meta().name(), namespace.meta().uid()));
    }

    private Outcome work(Life life, Duration age) {
        ApiObject namespace = find(life);
        if (namespace == null) {
            return Outcome.DONE;
        }
        JsonNode finalizers = Trees.at(Json.parseTrusted(namespace.json()), "spec", "finalizers");
        if (finalizers.isEmpty()) {
            removeFinalized(life);
            return Outcome.DONE;
        }
        if (!Trees.texts(finalizers).contains(Namespaces.FINALIZER)) {
            // This part is done; who else holds the namespace ends it.
            return Outcome.DONE;
        }
        Pass pass = contents.delete(life.name(), () -> !queue.closed() && find(life) != null);
        if (!pass.finished()) {
            return Outcome.RETRY;
        }
        tell(life, namespace, pass);
        if (!pass.empty()) {
            return pass.blocked()
                    ? Outcome.RETRY
                    : new Outcome.After(timing.backoff().first());
        }
        if (age.compareTo(timing.settle()) < 0) {
            return new Outcome.After(timing.settle().minus(age));
        }
        letGo(life);
        return Outcome.DONE;
    }

    /** The namespace as it is in the store, null where it is gone or was made again. */
    private @Nullable ApiObject find(Life life) {
        try {
            ApiObject namespace = namespaces.get(context(), life.name(), null);
            return isDying(life, namespace.meta().uid(), namespace.meta().beingDeleted()) ? namespace : null;
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.NOT_FOUND) {
                return null;
            }
            throw e;
        }
    }

    private static boolean isDying(Life life, String uid, boolean beingDeleted) {
        return beingDeleted && life.uid().equals(uid);
    }

    /** A namespace that goes at once need not be told what is left in it; one that was told before is told of the end. */
    private void tell(Life life, ApiObject namespace, Pass pass) {
        boolean told = !Trees.at(Json.parseTrusted(namespace.json()), "status", "conditions")
                .isEmpty();
        if (told || pass.blocked()) {
            change(life, object -> NamespaceConditions.apply(object, pass, clock.instant()), status);
        }
    }

    private void letGo(Life life) {
        change(life, NamespaceLifecycle::removeFinalizer, finalize);
    }

    private static void removeFinalizer(ObjectNode namespace) {
        var finalizers = Trees.list(Trees.child(namespace, "spec"), "finalizers");
        for (int i = finalizers.size() - 1; i >= 0; i--) {
            if (finalizers.get(i).asText().equals(Namespaces.FINALIZER)) {
                finalizers.remove(i);
            }
        }
    }

    private void change(Life life, Consumer<ObjectNode> change, RestStorage.Updater updater) {
        Changes.apply(updater, context(), life.name(), life.uid(), namespace -> {
            if (namespace.path("metadata").hasNonNull("deletionTimestamp")) {
                change.accept(namespace);
            }
        });
    }

    /** Ends a namespace that nothing holds but that was not removed with its last finalizer. */
    private void removeFinalized(Life life) {
        try {
            namespaces.delete(
                    context(), life.name(), new DeleteOptions(null, null, null, Preconditions.uid(life.uid())));
        } catch (ApiException e) {
            StatusReason reason = e.status().reason();
            if (reason != StatusReason.NOT_FOUND && reason != StatusReason.CONFLICT) {
                throw e;
            }
        }
    }

    private RequestContext context() {
        return RequestContext.internal("", clock.instant());
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        // First, since nothing more may be begun.
        queue.close();
        informer.close();
    }
}
