package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.UpdateStrategy;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a pod's spec that may change while it runs and have subresources of their own: its ephemeral containers, and
 * the resources of its containers. An update through one changes that and nothing else. Thread-safe.
 */
public final class PodPartRest implements RestStorage.Getter, RestStorage.Updater {
    private static final String EPHEMERAL = "ephemeralContainers";

    private final RegistryStore pods;
    private final UpdateStrategy strategy;

    private PodPartRest(RegistryStore pods, UpdateStrategy strategy) {
        this.pods = pods;
        this.strategy = strategy;
    }

    /** Containers that look into a pod: they may be added, never changed or removed. */
    public static PodPartRest ephemeralContainers(RegistryStore pods) {
        return new PodPartRest(pods, new EphemeralContainersStrategy());
    }

    /** What the containers of a pod ask for and may use. */
    public static PodPartRest resize(RegistryStore pods) {
        return new PodPartRest(pods, new ResizeStrategy());
    }

    @Override
    public ResourceDefinition definition() {
        return pods.definition();
    }

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        return pods.get(context, name, minimumRevision);
    }

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        return pods.update(
                context,
                name,
                existing -> {
                    if (existing == null) {
                        throw ApiException.notFound(definition().resource(), name);
                    }
                    return updated.apply(existing);
                },
                strategy);
    }

    /** Puts everything back but a part of the spec, and counts the generation where that has changed. */
    private abstract static class PartStrategy implements UpdateStrategy {
        @Override
        public final boolean allowCreateOnUpdate() {
            return false;
        }

        /** Changes the spec by what concerns the part. */
        abstract void takeOver(ObjectNode spec, JsonNode given);

        abstract void check(Faults faults, JsonNode spec, JsonNode old);

        @Override
        public final void prepareForUpdate(RequestContext context, ObjectNode pod, ObjectNode old) {
            JsonNode given = pod.path("spec");
            ObjectNode metadata = Trees.child(old.deepCopy(), "metadata");
            ObjectNode spec = Trees.child(old.deepCopy(), "spec");
            takeOver(spec, given);
            boolean changed = !spec.equals(old.path("spec"));
            if (changed) {
                metadata.put("generation", metadata.path("generation").asLong() + 1);
            }
            pod.removeAll();
            pod.setAll(old);
            pod.set("metadata", metadata);
            pod.set("spec", spec);
        }

        @Override
        public final List<FieldError> validateUpdate(RequestContext context, ObjectNode pod, ObjectNode old) {
            var faults = new Faults();
            PodSpecs.check(faults, "spec", pod.path("spec"));
            check(faults, pod.path("spec"), old.path("spec"));
            return faults.list();
        }

        @Override
        public final void canonicalize(ObjectNode pod) {}

        @Override
        public final boolean allowUnconditionalUpdate() {
            return true;
        }

        static Optional<ObjectNode> named(JsonNode containers, String name) {
            return Trees.objects(containers).stream()
                    .filter(container -> Trees.text(container, "name").equals(name))
                    .findFirst();
        }
    }

    private static final class EphemeralContainersStrategy extends PartStrategy {
        @Override
        void takeOver(ObjectNode spec, JsonNode given) {
            if (given.path(EPHEMERAL).isEmpty()) {
                spec.remove(EPHEMERAL);
            } else {
                spec.set(EPHEMERAL, given.path(EPHEMERAL).deepCopy());
            }
        }

        @Override
        void check(Faults faults, JsonNode spec, JsonNode old) {
            String field = "spec." + EPHEMERAL;
            for (ObjectNode before : Trees.objects(old.path(EPHEMERAL))) {
                String name = Trees.text(before, "name");
                ObjectNode now = named(spec.path(EPHEMERAL), name).orElse(null);
                if (now == null) {
                    faults.forbidden(field, "existing ephemeral containers \"" + name + "\" may not be removed");
                } else if (!now.equals(before)) {
                    faults.forbidden(field, "existing ephemeral containers \"" + name + "\" may not be changed");
                }
            }
            int i = 0;
            for (ObjectNode container : Trees.objects(spec.path(EPHEMERAL))) {
                String target = Trees.text(container, "targetContainerName");
                boolean known = PodSpecs.CONTAINERS.stream()
                        .anyMatch(list -> named(spec.path(list), target).isPresent());
                if (!target.isEmpty() && !known) {
                    faults.notFound(field + "[" + i + "].targetContainerName", target);
                }
                i++;
            }
        }
    }

    private static final class ResizeStrategy extends PartStrategy {
        private static final List<String> FIELDS = List.of("resources", "resizePolicy");

        @Override
        void takeOver(ObjectNode spec, JsonNode given) {
            for (String list : PodSpecs.CONTAINERS) {
                for (ObjectNode container : Trees.objects(spec.path(list))) {
                    named(given.path(list), Trees.text(container, "name")).ifPresent(wanted -> copy(wanted, container));
                }
            }
        }

        private static void copy(ObjectNode from, ObjectNode to) {
            for (String field : FIELDS) {
                if (from.hasNonNull(field)) {
                    to.set(field, Objects.requireNonNull(from.get(field)).deepCopy());
                } else {
                    to.remove(field);
                }
            }
        }

        @Override
        void check(Faults faults, JsonNode spec, JsonNode old) {
            String before = QosClass.of(old);
            if (!QosClass.of(spec).equals(before)) {
                faults.invalid("spec", before, "Pod QOS Class may not change as a result of resizing");
            }
        }
    }
}
