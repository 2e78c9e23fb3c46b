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
 * the resources of its containers. An update through one changes that and nothing else, and makes its manager the owner of
 * that and nothing else. Thread-safe.
 */
public final class PodPartRest implements RestStorage.Getter, RestStorage.Updater, RestStorage.Applier {
    private static final String EPHEMERAL = "ephemeralContainers";

    private final RegistryStore pods;
    private final PartStrategy strategy;

    private PodPartRest(RegistryStore pods, PartStrategy strategy) {
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
                    return strategy.onlyPart(updated.apply(existing.deepCopy()), existing);
                },
                strategy);
    }

    @Override
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
        var part = new AppliedConfiguration(strategy.part(applied.object()), applied.force());
        return pods.apply(context, name, part, strategy);
    }

    /** Puts everything back but a part of the spec, and counts the generation where that has changed. */
    private abstract static class PartStrategy implements UpdateStrategy {
        @Override
        public final boolean allowCreateOnUpdate() {
            return false;
        }

        /** Changes the spec by what concerns the part. */
        abstract void takeOver(ObjectNode spec, JsonNode given);

        /** What of the spec of a configuration concerns the part. */
        abstract ObjectNode part(JsonNode spec);

        abstract void check(Faults faults, JsonNode spec, JsonNode old);

        /** The old pod with the part of the new, and with the new one's word on what it replaces. */
        final ObjectNode onlyPart(ObjectNode pod, ObjectNode old) {
            ObjectNode result = old.deepCopy();
            takeOver(Trees.child(result, "spec"), pod.path("spec"));
            ObjectNode metadata = Trees.child(result, "metadata");
            for (String field : List.of("name", "namespace", "uid", "resourceVersion")) {
                JsonNode value = pod.path("metadata").get(field);
                if (value == null) {
                    metadata.remove(field);
                } else {
                    metadata.set(field, value);
                }
            }
            return result;
        }

        /** A configuration without all that the part is not. */
        final ObjectNode part(ObjectNode configuration) {
            ObjectNode part = configuration.deepCopy();
            part.retain("apiVersion", "kind", "metadata");
            if (part.path("metadata") instanceof ObjectNode metadata) {
                metadata.retain("name", "namespace", "uid", "resourceVersion", "managedFields");
            }
            if (configuration.path("spec").isObject()) {
                part.set("spec", part(configuration.path("spec")));
            }
            return part;
        }

        @Override
        public final void prepareForUpdate(RequestContext context, ObjectNode pod, ObjectNode old) {
            if (!pod.path("spec").equals(old.path("spec"))) {
                ObjectNode metadata = Trees.child(pod, "metadata");
                metadata.put("generation", metadata.path("generation").asLong() + 1);
            }
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
        public String subresource() {
            return "ephemeralcontainers";
        }

        @Override
        void takeOver(ObjectNode spec, JsonNode given) {
            if (given.path(EPHEMERAL).isEmpty()) {
                spec.remove(EPHEMERAL);
            } else {
                spec.set(EPHEMERAL, given.path(EPHEMERAL).deepCopy());
            }
        }

        @Override
        ObjectNode part(JsonNode spec) {
            return ((ObjectNode) spec.deepCopy()).retain(EPHEMERAL);
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
        private static final List<String> AMOUNTS = List.of("requests", "limits");
        private static final List<String> RESIZABLE = List.of("cpu", "memory");

        @Override
        public String subresource() {
            return "resize";
        }

        @Override
        void takeOver(ObjectNode spec, JsonNode given) {
            for (String list : PodSpecs.CONTAINERS) {
                for (ObjectNode container : Trees.objects(spec.path(list))) {
                    named(given.path(list), Trees.text(container, "name")).ifPresent(wanted -> copy(wanted, container));
                }
            }
        }

        @Override
        ObjectNode part(JsonNode spec) {
            ObjectNode part = ((ObjectNode) spec.deepCopy()).retain(PodSpecs.CONTAINERS);
            for (String list : PodSpecs.CONTAINERS) {
                Trees.objects(part.path(list))
                        .forEach(container -> container.retain("name", "resources", "resizePolicy"));
            }
            return part;
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
            for (String list : PodSpecs.CONTAINERS) {
                for (int i = 0; i < old.path(list).size(); i++) {
                    String field = "spec." + list + "[" + i + "].resources";
                    checkAmounts(
                            faults,
                            field,
                            spec.path(list).path(i),
                            old.path(list).path(i));
                }
            }
            if (!withoutAmounts(spec).equals(withoutAmounts(old))) {
                faults.forbidden("spec", "only cpu and memory resources are mutable");
            }
        }

        /** What a container once had an amount of it keeps some of. */
        private static void checkAmounts(Faults faults, String field, JsonNode container, JsonNode old) {
            for (String amounts : AMOUNTS) {
                JsonNode now = Trees.at(container, "resources", amounts);
                boolean removed = Trees.at(old, "resources", amounts).properties().stream()
                        .anyMatch(amount -> !now.has(amount.getKey()));
                if (removed) {
                    faults.forbidden(field + "." + amounts, "resource " + amounts + " cannot be removed");
                }
            }
        }

        private static JsonNode withoutAmounts(JsonNode spec) {
            JsonNode rest = spec.deepCopy();
            for (String list : PodSpecs.CONTAINERS) {
                for (ObjectNode container : Trees.objects(rest.path(list))) {
                    ObjectNode resources = Trees.child(container, "resources");
                    for (String amounts : AMOUNTS) {
                        Trees.child(resources, amounts).remove(RESIZABLE);
                    }
                }
            }
            return rest;
        }
    }
}
