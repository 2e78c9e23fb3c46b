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
import io.keelson.resources.fields.Trees;
import io.keelson.resources.fields.VolumeSources;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Persistent volumes: storage that outlives pods. */
public final class PersistentVolumes {
    /** The finalizer of a volume that holds it as long as a claim is bound to it. */
    public static final String PROTECTION = "kubernetes.io/pv-protection";

    private static final List<String> RECLAIM = List.of("Delete", "Recycle", "Retain");

    /** The fields of a spec that are not the one source of the volume. */
    private static final Set<String> COMMON = Set.of(
            "accessModes",
            "capacity",
            "claimRef",
            "mountOptions",
            "nodeAffinity",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode");

    private PersistentVolumes() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "PersistentVolume", "persistentvolumes")
                .shortNames("pv")
                .strategy(new VolumeStrategy())
                .defaults(Defaults.of(PersistentVolumes::fill))
                .columns(
                        Cells.text("Capacity", "How much it holds.", "spec", "capacity", "storage"),
                        Column.of(
                                "Access Modes",
                                "string",
                                "How it can be mounted.",
                                (volume, now) -> Cells.accessModes(Trees.at(volume, "spec", "accessModes"))),
                        Cells.text(
                                "Reclaim Policy",
                                "What becomes of it when its claim goes.",
                                "spec",
                                "persistentVolumeReclaimPolicy"),
                        Column.of(
                                "Status",
                                "string",
                                "Whether it is bound to a claim.",
                                (volume, now) -> Claims.phase(volume)),
                        Column.of("Claim", "string", "The claim that it is bound to.", (volume, now) -> claim(volume)),
                        Claims.STORAGE_CLASS,
                        Claims.ATTRIBUTES_CLASS,
                        Cells.text("Reason", "Why it is in this status.", "status", "reason"),
                        Column.AGE,
                        Claims.MODE)
                .returnsDeletedObject()
                .build();
    }

    private static void fill(ObjectNode volume) {
        ObjectNode spec = Trees.child(volume, "spec");
        Trees.fill(spec, "persistentVolumeReclaimPolicy", "Retain");
        Trees.fill(spec, "volumeMode", "Filesystem");
        Quantities.canonicalize(spec.path("capacity"));
        VolumeSources.fill(spec);
    }

    private static String claim(ObjectNode volume) {
        JsonNode claim = Trees.at(volume, "spec", "claimRef");
        return claim.isObject() ? Trees.text(claim, "namespace") + "/" + Trees.text(claim, "name") : "";
    }

    private static final class VolumeStrategy extends BasicStrategy {
        VolumeStrategy() {
            super(Trait.STATUS);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode volume) {
            super.prepareForCreate(context, volume);
            Trees.child(volume, "status")
                    .put("phase", "Pending")
                    .put(
                            "lastPhaseTransitionTime",
                            context.now().truncatedTo(ChronoUnit.SECONDS).toString());
            Claims.protect(metadata(volume), PROTECTION);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode volume) {
            var faults = new Faults();
            JsonNode spec = volume.path("spec");
            Claims.checkAccessModes(faults, spec, "");
            if (Trees.at(spec, "capacity", "storage").isMissingNode()) {
                faults.required("spec.capacity", "");
            } else if (spec.path("capacity").size() > 1) {
                faults.notSupported("spec.capacity", spec.path("capacity"), List.of("storage"));
            } else if (Quantities.valueOrZero(Trees.at(spec, "capacity", "storage"))
                            .signum()
                    <= 0) {
                faults.invalid(
                        "spec.capacity[storage]", Trees.at(spec, "capacity", "storage"), "must be greater than zero");
            }
            faults.oneOf("spec.persistentVolumeReclaimPolicy", spec.path("persistentVolumeReclaimPolicy"), RECLAIM);
            var sources = sources(spec);
            if (sources.isEmpty()) {
                faults.required("spec", "must specify a volume type");
            }
            sources.keySet().stream()
                    .skip(1)
                    .forEach(source -> faults.forbidden("spec." + source, "may not specify more than 1 volume type"));
            sources.forEach((type, source) -> VolumeSources.check(faults, "spec." + type, type, source));
            if (sources.containsKey("local") && !spec.has("nodeAffinity")) {
                faults.required("spec.nodeAffinity", "Local volume requires node affinity");
            }
            if (sources.containsKey("csi")) {
                faults.present("spec.csi.volumeHandle", Trees.at(spec, "csi", "volumeHandle"));
            }
            boolean root = Trees.text(spec, "hostPath", "path").equals("/");
            if (root && Trees.text(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
                faults.forbidden(
                        "spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
            }
            if (!Trees.text(spec, "storageClassName").isEmpty()) {
                faults.rule("spec.storageClassName", Trees.text(spec, "storageClassName"), Names::subdomain);
            }
            if (spec.has("nodeAffinity")) {
                checkAffinity(faults, Trees.at(spec, "nodeAffinity", "required"));
            }
            Claims.checkMode(faults, spec);
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode volume, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, volume));
            if (!sources(volume.path("spec")).equals(sources(old.path("spec")))) {
                faults.forbidden(
                        "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
            }
            faults.immutableSpec(volume, old, "volumeMode");
            return faults.list();
        }

        private static void checkAffinity(Faults faults, JsonNode required) {
            if (!required.isObject()) {
                faults.required("spec.nodeAffinity.required", "must specify required node constraints");
            } else if (required.path("nodeSelectorTerms").isEmpty()) {
                faults.required(
                        "spec.nodeAffinity.required.nodeSelectorTerms", "must have at least one node selector term");
            }
        }

        private static Map<String, JsonNode> sources(JsonNode spec) {
            var sources = new TreeMap<String, JsonNode>();
            var names = new TreeSet<String>();
            spec.fieldNames().forEachRemaining(names::add);
            names.removeAll(COMMON);
            names.forEach(name -> sources.put(name, spec.path(name)));
            return sources;
        }
    }
}
