package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.apiextensions.CustomResource;
import io.keelson.apiextensions.definition.AcceptedNames;
import io.keelson.apiextensions.definition.Conditions;
import io.keelson.apiextensions.definition.CustomResourceDefinitions;
import io.keelson.controllers.WorkQueue.Outcome;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.StatusRest;
import io.keelson.registry.WriteWorkers;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes CustomResourceDefinitions work: gives them their names, has their resources served as long as they are there, and
 * removes their objects before they go.
 *
 * <p>Every server does so by itself. All come to the same statuses, since names are given by what is in storage, and deleting
 * twice is harmless. Thread-safe. Works on virtual threads from {@link #start} to {@link #close}.
 */
public final class CustomResourceController implements AutoCloseable {
    /** What serves custom resources; called by one thread at a time, but for {@link #instances}. */
    public interface Server {
        /** Serves a resource, in place of what was served by the name of its definition before. */
        void serve(String name, CustomResource resource);

        /** Ends what is served by the name of a definition; harmless where nothing is. */
        void remove(String name);

        /** The objects of a resource that is served; null where it is not. */
        @Nullable
        RegistryStore instances(String name);
    }

    private static final Logger LOG = LoggerFactory.getLogger(CustomResourceController.class);

    /** The index of definitions by the group of what they define. */
    private static final String BY_GROUP = "group";

    /** How many definitions are emptied at the same time. */
    private static final int WORKERS = 4;

    /** How many definitions may be on their way out; others wait for the next look at all of them. */
    private static final int MAX_DELETIONS = 10_000;

    /** How long a definition is known to be on its way out before it may go: objects that others let in are found by then. */
    private static final Duration SETTLE = Duration.ofMillis(500);

    /** What is served of a definition; equal as long as nothing has to change. */
    private record Served(String uid, long generation, JsonNode names) {}

    /**
     * A definition as it was last seen.
     *
     * @param waits whether it asks for a name that others have
     */
    private record Seen(
            ApiObject object, ObjectNode summary, @Nullable Served served, boolean waits) {}

    private final RegistryStore definitions;
    private final StatusRest status;
    private final Server server;
    private final Collection<ResourceDefinition> builtins;
    private final InstantSource clock;
    private final WorkQueue<String> deletions;
    private final JudgedStatuses judged;
    private final Indexer known;
    private final Informer informer;
    private final Map<String, CustomResource> resources = new HashMap<>();
    private Map<String, Seen> seen = Map.of();

    /** Those whose latest state is still to be judged, be it that an attempt has failed. */
    private final Set<String> due = new HashSet<>();

    private volatile boolean synced;

    /** @param builtins the resources whose names no custom resource of their groups may have */
    public CustomResourceController(
            RegistryStore definitions, Server server, Collection<ResourceDefinition> builtins, InstantSource clock) {
        this.definitions = definitions;
        this.status = new StatusRest(definitions);
        this.server = server;
        this.builtins = List.copyOf(builtins);
        this.clock = clock;
        this.deletions = new WorkQueue<>("crd-deletion", WORKERS, MAX_DELETIONS, Backoff.DEFAULT, this::delete);
        this.judged = new JudgedStatuses(status, clock);
        this.known = new Indexer(Map.of(BY_GROUP, CustomResourceController::groupIndex), new Indexer.Handler() {
            @Override
            public void settled() {
                sync(known.all());
            }
        });
        this.informer = new Informer(definitions, Backoff.DEFAULT, clock, known);
    }

    public void start() {
        deletions.start();
        judged.start();
        informer.start();
    }

    /** Whether the definitions that there were at the start are served. */
    public boolean synced() {
        return synced;
    }

    // ---- names and service

    private void sync(List<ApiObject> all) {
        Map<String, Seen> before = seen;
        var now = new HashMap<String, Seen>();
        for (ApiObject object : all) {
            String name = object.meta().name();
            Seen known = before.get(name);
            if (known == null || known.object().resourceVersion() != object.resourceVersion()) {
                due.add(name);
                now.put(name, look(object, known));
            } else {
                now.put(name, known);
            }
        }
        for (String gone : before.keySet()) {
            if (!now.containsKey(gone)) {
                resources.remove(gone);
                due.remove(gone);
                server.remove(gone);
            }
        }
        // Known before anything is written, so that a failure leaves nothing to be forgotten.
        seen = now;
        var statuses = new HashMap<String, ObjectNode>();
        RuntimeException failure = null;
        for (ApiObject object : all) {
            String name = object.meta().name();
            Seen each = Objects.requireNonNull(now.get(name));
            // Others may have given up by now what one waits for.
            if (due.contains(name) || each.served() == null || each.waits()) {
                try {
                    now.put(name, treat(each, now, statuses));
                    if (!statuses.containsKey(name)) {
                        due.remove(name);
                    }
                } catch (RuntimeException e) {
                    // It stays due, and the others are served all the same.
                    failure = e;
                }
            }
        }
        var _ = WriteWorkers.run(
                all.stream()
                        .filter(object -> statuses.containsKey(object.meta().name()))
                        .toList(),
                object -> {
                    ObjectNode settled =
                            Objects.requireNonNull(statuses.get(object.meta().name()));
                    judged.write(object, settled.path("status"));
                    return null;
                });
        due.removeAll(statuses.keySet());
        synced = true;
        if (failure != null) {
            throw failure;
        }
    }

    private static Seen look(ApiObject object, @Nullable Seen known) {
        ObjectNode tree = Json.parseTrusted(object.json());
        ObjectNode summary = Json.object();
        summary.putObject("status").set("acceptedNames", Trees.at(tree, "status", "acceptedNames"));
        return new Seen(object, summary, known == null ? null : known.served(), false);
    }

    /** @param statuses takes the definition with its new status where that is to be written */
    private Seen treat(Seen each, Map<String, Seen> all, Map<String, ObjectNode> statuses) {
        String name = each.object().meta().name();
        ObjectNode tree = Json.parseTrusted(each.object().json());
        ObjectNode settled = tree.deepCopy();
        if (each.object().meta().beingDeleted()) {
            CustomResource resource = resources.get(name);
            if (resource != null) {
                resource.terminate();
            }
            if (each.object().meta().finalizers().contains(CustomResourceDefinitions.FINALIZER)) {
                var _ = deletions.add(name);
            }
        } else {
            taken(each, all).settle(settled, clock.instant());
        }
        Served served = each.served();
        if (Conditions.isTrue(settled, Conditions.ESTABLISHED)) {
            var wanted = new Served(
                    each.object().meta().uid(),
                    each.object().meta().generation(),
                    Trees.at(settled, "status", "acceptedNames"));
            if (!wanted.equals(served)) {
                // Served before its status says so, since clients come as soon as they read that.
                serve(name, settled, each.object());
                served = wanted;
            }
        }
        if (!settled.equals(tree)) {
            // Others are judged by these names at once.
            ((ObjectNode) each.summary().path("status"))
                    .set("acceptedNames", Trees.at(settled, "status", "acceptedNames"));
            statuses.put(name, settled);
        }
        return new Seen(each.object(), each.summary(), served, !Conditions.isTrue(settled, Conditions.NAMES_ACCEPTED));
    }

    private void serve(String name, ObjectNode settled, ApiObject stored) {
        CustomResource resource = CustomResource.of(settled, stored);
        if (stored.meta().beingDeleted()) {
            resource.terminate();
        }
        resources.put(name, resource);
        server.serve(name, resource);
        LOG.debug("{} is served", name);
    }

    /** The names in a definition's group that are not its own. */
    private AcceptedNames taken(Seen own, Map<String, Seen> all) {
        var taken = new AcceptedNames();
        for (ResourceDefinition builtin : builtins) {
            if (builtin.resource().group().equals(groupOf(own.object()))) {
                taken.take(builtin);
            }
        }
        for (ApiObject other : known.byIndex(BY_GROUP, groupOf(own.object()))) {
            String name = other.meta().name();
            if (!name.equals(own.object().meta().name())) {
                taken.take(Objects.requireNonNull(all.get(name)).summary());
            }
        }
        return taken;
    }

    /** A definition is called by the plural and the group of its resource. */
    private static String groupOf(ApiObject crd) {
        String name = crd.meta().name();
        return name.substring(name.indexOf('.') + 1);
    }

    private static List<String> groupIndex(ApiObject crd) {
        return List.of(groupOf(crd));
    }

    // ---- deletion

    private Outcome delete(String name, Duration age) {
        ApiObject crd = find(name);
        if (crd == null
                || !crd.meta().beingDeleted()
                || !crd.meta().finalizers().contains(CustomResourceDefinitions.FINALIZER)) {
            return Outcome.DONE;
        }
        RegistryStore instances = server.instances(name);
        if (instances == null) {
            boolean had = Conditions.isTrue(Json.parseTrusted(crd.json()), Conditions.ESTABLISHED);
            if (had) {
                // It is served soon, which is how its objects are found.
                return Outcome.RETRY;
            }
        } else if (!emptied(instances, name)) {
            return Outcome.RETRY;
        }
        if (age.compareTo(SETTLE) < 0 && instances != null) {
            return new Outcome.After(SETTLE.minus(age));
        }
        change(name, crd, definitions, object -> Changes.removeFinalizer(object, CustomResourceDefinitions.FINALIZER));
        return Outcome.DONE;
    }

    /** Deletes what there is; returns whether nothing was left. */
    private boolean emptied(RegistryStore instances, String name) {
        if (!hasAny(instances)) {
            return true;
        }
        tell(name, "InstanceDeletionInProgress", "CustomResource deletion is in progress");
        var _ = instances.deleteCollection(
                context(),
                new DeleteOptions(0L, PropagationPolicy.BACKGROUND, null, Preconditions.NONE),
                ListOptions.LATEST);
        return !hasAny(instances);
    }

    private boolean hasAny(RegistryStore instances) {
        return !instances
                .list(context(), ListOptions.LATEST.withPage(1, ""))
                .items()
                .isEmpty();
    }

    private void tell(String name, String reason, String message) {
        ApiObject crd = find(name);
        if (crd != null) {
            change(
                    name,
                    crd,
                    status,
                    object -> Conditions.set(object, Conditions.TERMINATING, true, reason, message, clock.instant()));
        }
    }

    private void change(String name, ApiObject crd, RestStorage.Updater updater, Consumer<ObjectNode> change) {
        Changes.apply(updater, context(), name, crd.meta().uid(), change);
    }

    private @Nullable ApiObject find(String name) {
        try {
            return definitions.get(context(), name, null);
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.NOT_FOUND) {
                return null;
            }
            throw e;
        }
    }

    private RequestContext context() {
        return RequestContext.internal("", clock.instant());
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        informer.close();
        judged.close();
        deletions.close();
    }
}
