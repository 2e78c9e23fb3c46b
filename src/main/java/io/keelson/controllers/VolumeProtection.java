package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.controllers.WorkQueue.Outcome;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.resources.core.PersistentVolumeClaims;
import io.keelson.resources.core.PersistentVolumes;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets claims and volumes go that are being deleted, once nothing uses them: a claim when no pod that is on a node and has not
 * ended names it, a volume when it is bound to no claim. Until then their finalizers,
 * {@value PersistentVolumeClaims#PROTECTION} and {@value PersistentVolumes#PROTECTION}, hold them.
 *
 * <p>Two servers may do so at once on one store, while one takes over from another: taking away a finalizer that has gone is an update that writes nothing.
 * Thread-safe. Works on virtual threads from {@link #start} to {@link #close}; errors of storage delay it.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection">Storage
 *     object in use protection</a>
 */
public final class VolumeProtection implements AutoCloseable {
    /** How many objects of each kind are looked at at the same time. */
    private static final int WORKERS = 2;

    /** How many objects of each kind may wait for their end; others wait until the next list has room for them. */
    private static final int MAX_WAITING = 10_000;

    /** How soon something in use is looked at again at least, and at most. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);

    private static final Duration LAST_LOOK = Duration.ofSeconds(5);

    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Guard claims;
    private final Guard volumes;

    public VolumeProtection(RegistryStore claims, RegistryStore volumes, RegistryStore pods, InstantSource clock) {
        this(claims, volumes, pods, clock, Backoff.DEFAULT);
    }

    VolumeProtection(
            RegistryStore claims, RegistryStore volumes, RegistryStore pods, InstantSource clock, Backoff backoff) {
        this.claims = new Guard(
                claims, PersistentVolumeClaims.PROTECTION, claim -> isMounted(claim, pods, clock), clock, backoff);
        this.volumes = new Guard(
                volumes,
                PersistentVolumes.PROTECTION,
                volume -> Trees.text(volume, "status", "phase").equals("Bound"),
                clock,
                backoff);
    }

    private static boolean isMounted(ObjectNode claim, RegistryStore pods, InstantSource clock) {
        String name = Trees.text(claim, "metadata", "name");
        RequestContext context = RequestContext.internal(Trees.text(claim, "metadata", "namespace"), clock.instant());
        for (ApiObject object : pods.list(context, ListOptions.LATEST).items()) {
            ObjectNode pod = Json.parseTrusted(object.json());
            boolean runs = !Trees.text(pod, "spec", "nodeName").isEmpty()
                    && !ENDED.contains(Trees.text(pod, "status", "phase"));
            if (runs && uses(pod, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean uses(ObjectNode pod, String claim) {
        for (ObjectNode volume : Trees.objects(Trees.at(pod, "spec", "volumes"))) {
            // The claim of an ephemeral volume is called by the names of both.
            String own = Trees.text(pod, "metadata", "name") + "-" + Trees.text(volume, "name");
            if (Trees.text(volume, "persistentVolumeClaim", "claimName").equals(claim)
                    || (volume.has("ephemeral") && own.equals(claim))) {
                return true;
            }
        }
        return false;
    }

    /** Begins to follow claims and volumes; returns at once, whether or not the store can be reached. */
    public void start() {
        claims.start();
        volumes.start();
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        claims.close();
        volumes.close();
    }

    /** Takes one finalizer from the objects of one resource that are being deleted and not in use. */
    private static final class Guard implements AutoCloseable {
        /** One life of an object; the name may be used again. */
        private record Life(String namespace, String name, String uid) {}

        private final RegistryStore store;
        private final String finalizer;
        private final Predicate<ObjectNode> inUse;
        private final InstantSource clock;
        private final WorkQueue<Life> queue;
        private final Informer informer;

        Guard(
                RegistryStore store,
                String finalizer,
                Predicate<ObjectNode> inUse,
                InstantSource clock,
                Backoff backoff) {
            this.store = store;
            this.finalizer = finalizer;
            this.inUse = inUse;
            this.clock = clock;
            this.queue = new WorkQueue<>(store.definition().singular(), WORKERS, MAX_WAITING, backoff, this::work);
            this.informer = new Informer(store, backoff, clock, this::offer);
        }

        void start() {
            queue.start();
            informer.start();
        }

        private boolean offer(ApiObject object) {
            boolean waits =
                    object.meta().beingDeleted() && object.meta().finalizers().contains(finalizer);
            return !waits
                    || queue.add(new Life(
                            object.meta().namespace(),
                            object.meta().name(),
                            object.meta().uid()));
        }

        private static Duration lookAgainAfter(Duration age) {
            Duration wait = age.dividedBy(2).compareTo(LAST_LOOK) < 0 ? age.dividedBy(2) : LAST_LOOK;
            return wait.compareTo(FIRST_LOOK) < 0 ? FIRST_LOOK : wait;
        }

        private Outcome work(Life life, Duration age) {
            RequestContext context = RequestContext.internal(life.namespace(), clock.instant());
            try {
                ObjectNode present =
                        Json.parseTrusted(store.get(context, life.name(), null).json());
                if (!isHeld(life, present)) {
                    return Outcome.DONE;
                }
                if (inUse.test(present)) {
                    // What uses it ends without a word to this queue, so it is looked at again: the later, the longer
                    // it is used.
                    return new Outcome.After(lookAgainAfter(age));
                }
                Changes.apply(store, context, life.name(), life.uid(), object -> {
                    if (isHeld(life, object)) {
                        Changes.removeFinalizer(object, finalizer);
                    }
                });
            } catch (ApiException e) {
                if (e.status().reason() != StatusReason.NOT_FOUND) {
                    throw e;
                }
            }
            return Outcome.DONE;
        }

        private boolean isHeld(Life life, ObjectNode object) {
            JsonNode metadata = object.path("metadata");
            return Trees.text(metadata, "uid").equals(life.uid())
                    && metadata.hasNonNull("deletionTimestamp")
                    && Trees.texts(metadata.path("finalizers")).contains(finalizer);
        }

        @Override
        public void close() {
            // First, since nothing more may be begun.
            queue.close();
            informer.close();
        }
    }
}
