package io.keelson.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupResource;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.scheduling.PriorityClasses;
import io.keelson.storage.ListOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives new pods what the classes say that they name: the priority of their priority class, and the overhead, node selector
 * and tolerations of their runtime class, as kube-apiserver's admission plugins Priority and RuntimeClass do. Refuses pods
 * whose classes do not exist, or say otherwise than the pod. Thread-safe.
 *
 * @param next judges every write before
 * @param priorities the store of priority classes; gives null where they are not served
 * @param runtimes the store of runtime classes; gives null where they are not served
 */
public record PodClasses(
        Admission next, Supplier<@Nullable RegistryStore> priorities, Supplier<@Nullable RegistryStore> runtimes)
        implements Admission {
    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final ListOptions CACHED = ListOptions.LATEST.withResourceVersion(0L);

    @Override
    public void admitCreate(RequestContext context, ResourceDefinition definition, ObjectNode object) {
        next.admitCreate(context, definition, object);
        if (definition.resource().equals(PODS)) {
            ObjectNode spec = Trees.child(object, "spec");
            String pod = Trees.text(object, "metadata", "name");
            RegistryStore priorityClasses = priorities.get();
            if (priorityClasses != null) {
                setPriority(priorityClasses, context, pod, spec);
            }
            RegistryStore runtimeClasses = runtimes.get();
            if (runtimeClasses != null) {
                setRuntime(runtimeClasses, context, pod, spec);
            }
        }
    }

    @Override
    public void admitDelete(RequestContext context, ResourceDefinition definition, String name) {
        next.admitDelete(context, definition, name);
    }

    /** The class of a name: the cache is asked first, and storage before it is said that there is none. */
    private static @Nullable ObjectNode find(RegistryStore classes, RequestContext context, String name) {
        for (Long minimumRevision : new @Nullable Long[] {0L, null}) {
            try {
                return Json.parseTrusted(
                        classes.get(context, name, minimumRevision).json());
            } catch (ApiException e) {
                if (e.status().reason() != StatusReason.NOT_FOUND) {
                    throw e;
                }
            }
        }
        return null;
    }

    // ---- priority

    private static void setPriority(RegistryStore classes, RequestContext context, String pod, ObjectNode spec) {
        String name = Trees.text(spec, "priorityClassName");
        long priority = 0;
        ObjectNode found = name.isEmpty() ? byDefault(classes, context) : find(classes, context, name);
        if (found != null) {
            priority = found.path("value").asLong();
            spec.put("priorityClassName", Trees.text(found, "metadata", "name"));
            spec.put("preemptionPolicy", Trees.text(found, "preemptionPolicy"));
        } else if (PriorityClasses.SYSTEM.containsKey(name)) {
            priority = Objects.requireNonNull(PriorityClasses.SYSTEM.get(name));
        } else if (!name.isEmpty()) {
            throw forbidden(pod, "no PriorityClass with name " + name + " was found");
        }
        long given = spec.path("priority").asLong();
        if (given != priority && given != 0) {
            throw forbidden(
                    pod,
                    "the integer value of priority (" + given + ") must not be provided in pod spec; priority admission"
                            + " controller computed " + priority + " from the given PriorityClass name");
        }
        spec.put("priority", priority);
    }

    /** The class of pods that name none: of several that are to be it, that of the lowest priority. */
    private static @Nullable ObjectNode byDefault(RegistryStore classes, RequestContext context) {
        return classes.list(context, CACHED).items().stream()
                .map(one -> Json.parseTrusted(one.json()))
                .filter(one -> one.path("globalDefault").asBoolean())
                .min(Comparator.comparingLong(one -> one.path("value").asLong()))
                .orElse(null);
    }

    // ---- runtime

    private static void setRuntime(RegistryStore classes, RequestContext context, String pod, ObjectNode spec) {
        String name = Trees.text(spec, "runtimeClassName");
        ObjectNode runtime = name.isEmpty() ? null : find(classes, context, name);
        if (runtime == null && !name.isEmpty()) {
            throw forbidden(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
        }
        JsonNode overhead = runtime == null ? spec.missingNode() : Trees.at(runtime, "overhead", "podFixed");
        JsonNode given = spec.path("overhead");
        if (overhead.isEmpty() && !given.isEmpty()) {
            throw forbidden(pod, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
        if (!overhead.isEmpty() && !given.isEmpty() && !given.equals(overhead)) {
            throw forbidden(pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        }
        if (!overhead.isEmpty()) {
            spec.set("overhead", overhead.deepCopy());
        }
        if (runtime != null) {
            setScheduling(pod, spec, runtime.path("scheduling"));
        }
    }

    private static void setScheduling(String pod, ObjectNode spec, JsonNode scheduling) {
        for (var label : scheduling.path("nodeSelector").properties()) {
            ObjectNode selector = Trees.child(spec, "nodeSelector");
            String wanted = label.getValue().asText();
            String given = Trees.text(selector, label.getKey());
            if (selector.has(label.getKey()) && !given.equals(wanted)) {
                throw forbidden(
                        pod,
                        "pod rejected: conflict: runtimeClass.scheduling.nodeSelector[" + label.getKey() + "] = "
                                + wanted + ", pod.spec.nodeSelector[" + label.getKey() + "] = " + given);
            }
            selector.put(label.getKey(), wanted);
        }
        List<ObjectNode> tolerations = Trees.objects(scheduling.path("tolerations"));
        if (!tolerations.isEmpty()) {
            ArrayNode ofPod = Trees.list(spec, "tolerations");
            List<ObjectNode> present = Trees.objects(ofPod);
            tolerations.stream()
                    .filter(toleration -> !present.contains(toleration))
                    .forEach(toleration -> ofPod.add(toleration.deepCopy()));
        }
    }

    private static ApiException forbidden(String pod, String why) {
        return ApiException.of(
                StatusReason.FORBIDDEN, PODS + " \"" + pod + "\" is forbidden: " + why, Status.Details.of(PODS, pod));
    }
}
