package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns pods to nodes, once each: what a scheduler posts to {@code pods/<name>/binding} or to {@code bindings}.
 * Thread-safe.
 */
public final class BindingRest implements RestStorage.Performer {
    private static final GroupVersionKind BINDING = new GroupVersionKind("", "v1", "Binding");
    private static final GroupResource RESOURCE = new GroupResource("", "pods/binding");

    private final RegistryStore pods;
    private final ResourceDefinition definition;

    /** @param definition of pods, or of the resource {@code bindings} */
    public BindingRest(RegistryStore pods, ResourceDefinition definition) {
        this.pods = pods;
        this.definition = definition;
    }

    /** The resource whose objects can be created and are not kept. */
    public static ResourceDefinition bindings() {
        return ResourceDefinition.of("", "v1", BINDING.kind(), "bindings").build();
    }

    @Override
    public ResourceDefinition definition() {
        return definition;
    }

    @Override
    public GroupVersionKind kind() {
        return BINDING;
    }

    @Override
    public void perform(RequestContext context, String name, ObjectNode binding) {
        String pod = PodActions.name(context, name, binding);
        check(pod, binding);
        var _ = pods.update(
                context,
                pod,
                existing -> {
                    if (existing == null) {
                        throw ApiException.notFound(pods.definition().resource(), pod);
                    }
                    assign(context, pod, existing, binding);
                    return existing;
                },
                PodActions.AS_GIVEN);
    }

    private static void check(String name, ObjectNode binding) {
        var errors = new ArrayList<FieldError>();
        String kind = Trees.text(binding, "target", "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            errors.add(FieldError.notSupported("target.kind", kind, List.of("Node", "<empty>")));
        }
        if (Trees.text(binding, "target", "name").isEmpty()) {
            errors.add(FieldError.required("target.name", ""));
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid("", BINDING.kind(), name, errors);
        }
    }

    private static void assign(RequestContext context, String name, ObjectNode pod, ObjectNode binding) {
        ObjectNode metadata = Trees.child(pod, "metadata");
        ObjectNode spec = Trees.child(pod, "spec");
        String uid = Trees.text(binding, "metadata", "uid");
        String node = Trees.text(spec, "nodeName");
        if (!uid.isEmpty() && !uid.equals(Trees.text(metadata, "uid"))) {
            throw conflict(
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + Trees.text(metadata, "uid"));
        }
        if (metadata.hasNonNull("deletionTimestamp")) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
        }
        if (!spec.path("schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
        spec.put("nodeName", Trees.text(binding, "target", "name"));
        Trees.map(binding.path("metadata").path("annotations"))
                .forEach((key, value) -> Trees.child(metadata, "annotations").put(key, value));
        var _ = PodActions.setCondition(pod, "PodScheduled", context.now());
    }

    private static ApiException conflict(String name, String why) {
        return ApiException.conflict(RESOURCE, name, why);
    }
}
