package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kind CustomResourceDefinition of {@code apiextensions.k8s.io/v1}. */
public final class CustomResourceDefinitions {
    public static final String GROUP = "apiextensions.k8s.io";
    public static final String PLURAL = "customresourcedefinitions";

    /** Holds a definition back until its objects are gone. */
    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    /** From how many bytes on a definition is packed in the cache: the large ones take hundreds of kilobytes, and several states. */
    private static final int PACKED_FROM = 16 * 1024;

    private static final int HTTPS_PORT = 443;

    private CustomResourceDefinitions() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(GROUP, "v1", "CustomResourceDefinition", PLURAL)
                .shortNames("crd", "crds")
                .categories("api-extensions")
                .strategy(new CrdStrategy())
                .defaults(CustomResourceDefinitions::complete)
                .packedFrom(PACKED_FROM)
                .columns(Column.of(
                        "Created At",
                        "date",
                        "When the definition was created.",
                        (object, now) -> Trees.text(object, "metadata", "creationTimestamp")))
                .build();
    }

    private static void complete(ObjectNode crd) {
        if (!(crd.get("spec") instanceof ObjectNode spec)) {
            return;
        }
        if (spec.get("names") instanceof ObjectNode names) {
            String kind = Trees.text(names, "kind");
            if (!kind.isEmpty()) {
                Trees.fill(names, "singular", kind.toLowerCase(Locale.ROOT));
                Trees.fill(names, "listKind", kind + "List");
            }
        }
        if (!spec.hasNonNull("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        if (Trees.at(spec, "conversion", "webhook", "clientConfig", "service") instanceof ObjectNode service) {
            Trees.fill(service, "port", HTTPS_PORT);
        }
        if (!spec.path("preserveUnknownFields").asBoolean()) {
            spec.remove("preserveUnknownFields");
        }
    }

    /** The life of a definition: it is judged whole, keeps what objects may be stored as, and waits for its objects to go. */
    private static final class CrdStrategy extends BasicStrategy {
        CrdStrategy() {
            super(Trait.STATUS, Trait.GENERATION);
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode crd) {
            ObjectNode status = Json.object();
            status.putObject("acceptedNames").put("kind", "").put("plural", "");
            status.putNull("conditions");
            ArrayNode stored = status.putArray("storedVersions");
            storageVersions(crd).forEach(stored::add);
            if (stored.isEmpty()) {
                status.remove("storedVersions");
            }
            return status;
        }

        private static List<String> storageVersions(ObjectNode crd) {
            var names = new ArrayList<String>();
            for (JsonNode version : crd.path("spec").path("versions")) {
                if (version.path("storage").asBoolean()) {
                    names.add(version.path("name").asText());
                }
            }
            return names;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            super.prepareForUpdate(context, object, old);
            if (object.get("status") instanceof ObjectNode shared) {
                ObjectNode status = shared.deepCopy();
                object.set("status", status);
                ArrayNode stored = Trees.list(status, "storedVersions");
                for (String version : storageVersions(object)) {
                    if (!Trees.texts(stored).contains(version)) {
                        stored.add(version);
                    }
                }
            }
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode object) {
            return CrdRules.validate(object);
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            if (object.path("spec").equals(old.path("spec"))
                    && object.path("metadata")
                            .path("annotations")
                            .equals(old.path("metadata").path("annotations"))) {
                return List.of();
            }
            var errors = new ArrayList<>(CrdRules.validate(object));
            errors.addAll(CrdRules.validateUpdate(object, old));
            return errors;
        }

        @Override
        public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            var errors = new ArrayList<>(
                    CrdRules.names(object.path("status").path("acceptedNames"), "status.acceptedNames"));
            errors.addAll(CrdRules.storedVersions(object));
            return errors;
        }

        /** A definition is never removed at once, since it may have objects. */
        @Override
        public boolean holdsDeletion(ObjectNode object) {
            return !Cells.isDeleting(object);
        }

        @Override
        public void prepareForDelete(ObjectNode object) {
            ObjectNode metadata = Trees.child(object, "metadata");
            ArrayNode finalizers = Trees.list(metadata, "finalizers");
            if (!Trees.texts(finalizers).contains(FINALIZER)) {
                finalizers.add(FINALIZER);
            }
            // Kube-apiserver marks definitions by a way of its own, which leaves these as they are.
            metadata.remove("deletionGracePeriodSeconds");
            metadata.put("generation", metadata.path("generation").asLong() - 1);
            Conditions.set(
                    object,
                    Conditions.TERMINATING,
                    true,
                    "InstanceDeletionPending",
                    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
                    Instant.parse(Trees.text(metadata, "deletionTimestamp")));
        }
    }
}
