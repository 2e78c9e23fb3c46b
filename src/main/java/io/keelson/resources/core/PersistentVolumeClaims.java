package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Persistent volume claims: what a pod asks of storage. */
public final class PersistentVolumeClaims {
    /** The finalizer of a claim that holds it as long as pods use it. */
    public static final String PROTECTION = "kubernetes.io/pvc-protection";

    private PersistentVolumeClaims() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims")
                .shortNames("pvc")
                .strategy(new ClaimStrategy())
                .defaults(Defaults.of(claim -> fill(Trees.child(claim, "spec"))))
                .columns(
                        Column.of(
                                "Status",
                                "string",
                                "Whether it is bound to a volume.",
                                (claim, now) -> Claims.phase(claim)),
                        Cells.text("Volume", "The volume that it is bound to.", "spec", "volumeName"),
                        Column.of(
                                "Capacity",
                                "string",
                                "How much the volume holds.",
                                (claim, now) -> ifBound(claim, Trees.text(claim, "status", "capacity", "storage"))),
                        Column.of(
                                "Access Modes",
                                "string",
                                "How the volume can be mounted.",
                                (claim, now) ->
                                        ifBound(claim, Cells.accessModes(Trees.at(claim, "status", "accessModes")))),
                        Claims.STORAGE_CLASS,
                        Claims.ATTRIBUTES_CLASS,
                        Column.AGE,
                        Claims.MODE)
                .returnsDeletedObject()
                .build();
    }

    /** Fills in a claim's spec, also one in a template of claims. */
    public static void fill(ObjectNode spec) {
        Trees.fill(spec, "volumeMode", "Filesystem");
        ObjectNode resources = Trees.child(spec, "resources");
        Quantities.canonicalize(resources.path("requests"));
        Quantities.canonicalize(resources.path("limits"));
    }

    private static String ifBound(ObjectNode claim, String text) {
        return Trees.text(claim, "spec", "volumeName").isEmpty() ? "" : text;
    }

    private static final class ClaimStrategy extends BasicStrategy {
        ClaimStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode claim) {
            super.prepareForCreate(context, claim);
            mirrorSource(Trees.child(claim, "spec"));
            Claims.protect(metadata(claim), PROTECTION);
        }

        /** The source has an old name beside its present one, which also may be of another namespace. */
        private static void mirrorSource(ObjectNode spec) {
            JsonNode source = spec.path("dataSource");
            JsonNode reference = spec.path("dataSourceRef");
            if (source.isObject() && !spec.has("dataSourceRef")) {
                spec.set("dataSourceRef", source.deepCopy());
            } else if (reference.isObject() && !spec.has("dataSource") && !reference.has("namespace")) {
                spec.set("dataSource", reference.deepCopy());
            }
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode claim) {
            return claim.objectNode().put("phase", "Pending");
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode claim) {
            var faults = new Faults();
            JsonNode spec = claim.path("spec");
            Claims.checkAccessModes(faults, spec, "at least 1 access mode is required");
            Selectors.check(faults, "spec.selector", spec.path("selector"));
            JsonNode storage = Trees.at(spec, "resources", "requests", "storage");
            if (storage.isMissingNode()) {
                faults.required("spec.resources[storage]", "");
            } else if (Quantities.valueOrZero(storage).signum() <= 0) {
                faults.invalid("spec.resources.requests[storage]", storage, "must be greater than zero");
            }
            Claims.checkMode(faults, spec);
            for (String type : List.of("storageClassName", "volumeAttributesClassName")) {
                if (!Trees.text(spec, type).isEmpty()) {
                    faults.rule("spec." + type, Trees.text(spec, type), Names::subdomain);
                }
            }
            checkSource(faults, "spec.dataSource", spec.path("dataSource"));
            checkSource(faults, "spec.dataSourceRef", spec.path("dataSourceRef"));
            return faults.list();
        }

        /** What a volume is filled from: an object of the core group is another claim. */
        private static void checkSource(Faults faults, String field, JsonNode source) {
            if (!source.isObject()) {
                return;
            }
            faults.present(field + ".name", source.path("name"));
            faults.present(field + ".kind", source.path("kind"));
            String kind = Trees.text(source, "kind");
            if (Trees.text(source, "apiGroup").isEmpty() && !kind.equals("PersistentVolumeClaim")) {
                faults.invalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
            }
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode claim, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, claim));
            if (claim.path("spec") instanceof ObjectNode spec && old.path("spec") instanceof ObjectNode before) {
                boolean bound = Trees.text(old, "status", "phase").equals("Bound");
                if (!fixedPart(spec, before, bound).equals(fixedPart(before, before, bound))) {
                    faults.forbidden(
                            "spec",
                            "spec is immutable after creation except resources.requests and volumeAttributesClassName"
                                    + " for bound claims");
                }
                checkShrinking(faults, claim, old);
            }
            return faults.list();
        }

        /** What of a spec may not change: not the volume that is just being bound, nor what bound claims may ask anew. */
        private static ObjectNode fixedPart(ObjectNode spec, ObjectNode before, boolean bound) {
            ObjectNode fixed = spec.deepCopy();
            if (Trees.text(before, "volumeName").isEmpty()) {
                fixed.remove("volumeName");
            }
            if (!before.has("storageClassName")) {
                fixed.remove("storageClassName");
            }
            if (bound) {
                fixed.remove("volumeAttributesClassName");
                Trees.child(fixed, "resources").remove("requests");
            }
            return fixed;
        }

        private static void checkShrinking(Faults faults, ObjectNode claim, ObjectNode old) {
            var asked = Quantities.value(Trees.at(claim, "spec", "resources", "requests", "storage"));
            var before = Quantities.value(Trees.at(old, "spec", "resources", "requests", "storage"));
            var capacity = Quantities.valueOrZero(Trees.at(old, "status", "capacity", "storage"));
            if (asked != null && before != null && asked.compareTo(before) < 0 && asked.compareTo(capacity) <= 0) {
                faults.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
            }
        }
    }
}
