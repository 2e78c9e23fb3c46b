package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import io.keelson.registry.DeleteOptionsForm;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.StatusRest;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes pods where the pod disruption budgets of their namespace allow it, and takes the disruption out of the budget
 * first, so that evictions that race share what there is. Thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/">API-initiated eviction</a>
 */
public final class EvictionRest implements RestStorage.Performer {
    private static final GroupVersionKind EVICTION = new GroupVersionKind("policy", "v1", "Eviction");

    /** Phases of pods that nothing depends on. */
    private static final Set<String> NOT_RUNNING = Set.of("Pending", "Succeeded", "Failed");

    /** After how many seconds the budget of a pod may have been counted. */
    private static final int RETRY_SECONDS = 10;

    private static final String REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

    private final RegistryStore pods;
    private final Supplier<@Nullable RegistryStore> budgets;

    /** @param budgets the store of pod disruption budgets; gives null where they are not served */
    public EvictionRest(RegistryStore pods, Supplier<@Nullable RegistryStore> budgets) {
        this.pods = pods;
        this.budgets = budgets;
    }

    @Override
    public ResourceDefinition definition() {
        return pods.definition();
    }

    @Override
    public GroupVersionKind kind() {
        return EVICTION;
    }

    @Override
    public void perform(RequestContext context, String ofPath, ObjectNode eviction) {
        String name = PodActions.name(context, ofPath, eviction);
        JsonNode asked = eviction.path("deleteOptions");
        RestStorage.DeleteOptions options = DeleteOptionsForm.read(asked);
        RequestContext how = asked.path("dryRun").isEmpty()
                ? context
                : new RequestContext(context.namespace(), context.fieldManager(), true, context.now());
        ObjectNode pod = Json.parseTrusted(pods.get(how, name, null).json());
        if (!goesAnyway(pod)) {
            ObjectNode budget = budgetOf(how, pod);
            if (budget != null && !mayGoUncounted(pod, budget)) {
                takeFromBudget(how, name, budget);
            }
            var _ = pods.update(
                    how, name, existing -> tell(how, Objects.requireNonNull(existing)), PodActions.AS_GIVEN);
        }
        var _ = pods.delete(how, name, options);
    }

    private static boolean goesAnyway(ObjectNode pod) {
        return pod.path("metadata").hasNonNull("deletionTimestamp")
                || NOT_RUNNING.contains(Trees.text(pod, "status", "phase"));
    }

    private static ObjectNode tell(RequestContext context, ObjectNode pod) {
        PodActions.setCondition(pod, "DisruptionTarget", context.now())
                .put("reason", "EvictionByEvictionAPI")
                .put("message", "Eviction API: evicting");
        return pod;
    }

    private @Nullable ObjectNode budgetOf(RequestContext context, ObjectNode pod) {
        RegistryStore store = budgets.get();
        if (store == null) {
            return null;
        }
        List<ObjectNode> matching = store.list(context, ListOptions.LATEST).items().stream()
                .map(budget -> Json.parseTrusted(budget.json()))
                .filter(budget ->
                        Selectors.matches(Trees.at(budget, "spec", "selector"), Trees.at(pod, "metadata", "labels")))
                .toList();
        if (matching.size() > 1) {
            throw ApiException.of(
                    StatusReason.INTERNAL_ERROR,
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        return matching.isEmpty() ? null : matching.getFirst();
    }

    /** Whether a pod that is not ready counts so little that it may go without a disruption. */
    private static boolean mayGoUncounted(ObjectNode pod, ObjectNode budget) {
        boolean ready = Trees.objects(Trees.at(pod, "status", "conditions")).stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("Ready")
                        && Trees.text(condition, "status").equals("True"));
        JsonNode status = budget.path("status");
        long desired = status.path("desiredHealthy").asLong();
        boolean healthyWithout = desired > 0 && status.path("currentHealthy").asLong() >= desired;
        return !ready
                && (healthyWithout
                        || Trees.text(budget, "spec", "unhealthyPodEvictionPolicy")
                                .equals("AlwaysAllow"));
    }

    private void takeFromBudget(RequestContext context, String pod, ObjectNode budget) {
        RegistryStore store = Objects.requireNonNull(budgets.get());
        var _ = new StatusRest(store).update(context, Trees.text(budget, "metadata", "name"), existing -> {
            ObjectNode present = Objects.requireNonNull(existing);
            ObjectNode status = Trees.child(present, "status");
            long allowed = allowed(present, status);
            status.put("disruptionsAllowed", allowed - 1);
            Trees.child(status, "disruptedPods").put(pod, context.now().toString());
            return present;
        });
    }

    /** How many disruptions there are left, at least one. */
    private static long allowed(ObjectNode budget, ObjectNode status) {
        String name = Trees.text(budget, "metadata", "name");
        if (status.path("observedGeneration").asLong()
                < Trees.at(budget, "metadata", "generation").asLong()) {
            throw refused("The disruption budget " + name + " is still being processed by the server.", RETRY_SECONDS);
        }
        long allowed = status.path("disruptionsAllowed").asLong();
        if (allowed < 1) {
            throw refused(
                    "The disruption budget " + name + " needs "
                            + status.path("desiredHealthy").asLong() + " healthy pods and has "
                            + status.path("currentHealthy").asLong() + " currently",
                    0);
        }
        return allowed;
    }

    private static ApiException refused(String why, int retrySeconds) {
        return ApiException.of(
                StatusReason.TOO_MANY_REQUESTS,
                REFUSED,
                Status.Details.causes(List.of(new StatusCause("DisruptionBudget", why, "")))
                        .withRetryAfter(retrySeconds));
    }
}
