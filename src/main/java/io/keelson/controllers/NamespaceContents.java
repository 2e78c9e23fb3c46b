package io.keelson.controllers;

import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupResource;
import io.keelson.api.StatusReason;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.RestStorage.Deleted;
import io.keelson.registry.WriteWorkers;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.StorageException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what lives in a namespace, in the order that Kubernetes uses: pods first, since what else is there may protect
 * or feed them, the rest only when no pod is left, events last. Thread-safe.
 */
final class NamespaceContents {
    /** How many objects are read at a time. */
    private static final int PAGE = 500;

    /** How many failures are told; the others are only counted. */
    private static final int MAX_TOLD = 5;

    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final GroupResource EVENTS = new GroupResource("", "events");

    /** In which order resources are emptied. */
    private enum Turn {
        PODS,
        OTHERS,
        EVENTS;

        static Turn of(RegistryStore store) {
            GroupResource resource = store.definition().resource();
            if (resource.equals(NamespaceContents.PODS)) {
                return PODS;
            }
            return resource.equals(NamespaceContents.EVENTS) ? EVENTS : OTHERS;
        }
    }

    /**
     * What one pass over a namespace found and left.
     *
     * @param finished whether the pass went through all that it had to; false where it was told to stop
     * @param found how many objects it met, gone by now or not
     * @param resources how many objects each resource still has, by {@code resource.group}
     * @param finalizers how many objects wait for each finalizer
     * @param failures why objects could not be deleted, at most a few
     * @param failed how many objects and lists failed
     */
    record Pass(
            boolean finished,
            long found,
            SortedMap<String, Long> resources,
            SortedMap<String, Long> finalizers,
            List<String> failures,
            long failed) {
        /** Whether the namespace was seen to hold nothing. */
        boolean empty() {
            return finished && found == 0 && failed == 0;
        }

        /** Whether something stays that the pass could not remove. */
        boolean blocked() {
            return !resources.isEmpty() || failed > 0;
        }
    }

    /**
     * An object that a pass could not remove.
     *
     * @param finalizers what it waits for
     * @param failure why it could not be deleted; empty where it waits
     */
    private record Left(List<String> finalizers, String failure) {}

    private final Supplier<? extends Collection<RegistryStore>> stores;
    private final InstantSource clock;

    /** @param stores of all resources that are served; those of the cluster do not matter */
    NamespaceContents(Supplier<? extends Collection<RegistryStore>> stores, InstantSource clock) {
        this.stores = stores;
        this.clock = clock;
    }

    /**
     * Deletes what is there now. What waits for a finalizer stays.
     *
     * @param mayGoOn asked after each list and before its objects are deleted: whether the namespace that was meant is
     *     still there. What was listed before a true answer lived in that namespace, not in a later one of its name.
     * @throws StorageException where storage cannot be reached
     */
    Pass delete(String namespace, BooleanSupplier mayGoOn) {
        List<RegistryStore> inTurn = stores.get().stream()
                .filter(store -> store.definition().namespaced())
                .sorted(Comparator.comparing(Turn::of))
                .toList();
        if (inTurn.isEmpty()) {
            return new Pass(true, 0, new TreeMap<>(), new TreeMap<>(), List.of(), 0);
        }
        // The store's revision now. Caches that have reached it, which they do all at once, show what was there.
        long revision = inTurn.getFirst().storage().currentResourceVersion();
        var round = new Round(namespace, revision, mayGoOn);
        Turn turn = Turn.PODS;
        for (RegistryStore store : inTurn) {
            if (turn == Turn.PODS && Turn.of(store) != Turn.PODS && round.blocked()) {
                break;
            }
            turn = Turn.of(store);
            if (!round.empty(store)) {
                return round.pass(false);
            }
        }
        return round.pass(true);
    }

    /** One pass; used by one thread. */
    private final class Round {
        private final String namespace;
        private final ListOptions first;
        private final BooleanSupplier mayGoOn;
        private final SortedMap<String, Long> resources = new TreeMap<>();
        private final SortedMap<String, Long> finalizers = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();
        private long found;
        private long failed;

        Round(String namespace, long revision, BooleanSupplier mayGoOn) {
            this.namespace = namespace;
            this.first = ListOptions.LATEST
                    .withResourceVersion(revision)
                    .withMatch(ResourceVersionMatch.NOT_OLDER_THAN)
                    .withPage(PAGE, "");
            this.mayGoOn = mayGoOn;
        }

        boolean blocked() {
            return !resources.isEmpty() || failed > 0;
        }

        Pass pass(boolean finished) {
            return new Pass(finished, found, resources, finalizers, List.copyOf(failures), failed);
        }

        /** Deletes a resource's objects; returns false where it was told to stop. */
        boolean empty(RegistryStore store) {
            String token = "";
            do {
                ListResult page;
                try {
                    page = store.asStored()
                            .list(context(), token.isEmpty() ? first : ListOptions.LATEST.withPage(PAGE, token));
                } catch (StorageException.Expired e) {
                    // The pages' revision is compacted. The rest is read as it is now, or by the next pass.
                    found++;
                    token = e.inconsistentContinue();
                    continue;
                } catch (StorageException.Internal e) {
                    fail(store.definition() + ": " + e.getMessage());
                    return true;
                }
                if (!page.items().isEmpty() && !mayGoOn.getAsBoolean()) {
                    return false;
                }
                found += page.items().size();
                WriteWorkers.run(page.items(), object -> delete(store, object)).forEach(left -> note(store, left));
                token = page.continueToken();
            } while (!token.isEmpty());
            return true;
        }

        /** Deletes an object; null where nothing is left to say of it. May be called by several threads. */
        private @Nullable Left delete(RegistryStore store, ApiObject object) {
            // Nothing runs that could use a period of grace; and garbage collection need not wait for dependents.
            var now = new DeleteOptions(
                    0L,
                    PropagationPolicy.BACKGROUND,
                    null,
                    Preconditions.uid(object.meta().uid()));
            try {
                Deleted deleted = store.delete(context(), object.meta().name(), now);
                return deleted.deleted()
                        ? null
                        : new Left(deleted.object().meta().finalizers(), "");
            } catch (ApiException e) {
                StatusReason reason = e.status().reason();
                // Gone, or another object of the same name by now, which the next pass finds.
                boolean settled = reason == StatusReason.NOT_FOUND || reason == StatusReason.CONFLICT;
                return settled ? null : new Left(List.of(), e.status().message());
            } catch (StorageException.Internal e) {
                return new Left(List.of(), String.valueOf(e.getMessage()));
            }
        }

        private void note(RegistryStore store, Left left) {
            count(resources, nameOf(store));
            left.finalizers().forEach(finalizer -> count(finalizers, finalizer));
            if (!left.failure().isEmpty()) {
                fail(left.failure());
            }
        }

        private void fail(String why) {
            failed++;
            if (failures.size() < MAX_TOLD) {
                failures.add(why);
            }
        }

        private RequestContext context() {
            return RequestContext.internal(namespace, clock.instant());
        }
    }

    private static String nameOf(RegistryStore store) {
        GroupResource resource = store.definition().resource();
        return resource.resource() + "." + resource.group();
    }

    private static void count(SortedMap<String, Long> counts, String key) {
        counts.merge(key, 1L, Long::sum);
    }
}
