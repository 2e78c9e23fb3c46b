package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** What volumes and the claims on them have in common. */
final class Claims {
    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final List<String> MODES = List.of("Block", "Filesystem");

    static final Column STORAGE_CLASS =
            Column.of("StorageClass", "string", "The class of storage.", (object, now) -> storageClass(object));

    static final Column ATTRIBUTES_CLASS =
            Column.of("VolumeAttributesClass", "string", "The class of the volume's attributes.", (object, now) -> {
                String name = Trees.text(object, "spec", "volumeAttributesClassName");
                return name.isEmpty() ? Cells.UNSET : name;
            });

    static final Column MODE =
            Column.wide("VolumeMode", "string", "Whether it is a file system or a device.", (object, now) -> {
                String mode = Trees.text(object, "spec", "volumeMode");
                return mode.isEmpty() ? Cells.UNSET : mode;
            });

    private Claims() {}

    static String storageClass(ObjectNode object) {
        String old = Trees.text(object, "metadata", "annotations", CLASS_ANNOTATION);
        return old.isEmpty() ? Trees.text(object, "spec", "storageClassName") : old;
    }

    static String phase(ObjectNode object) {
        return Cells.isDeleting(object) ? "Terminating" : Trees.text(object, "status", "phase");
    }

    /** Adds the finalizer that keeps storage from going while it is used. */
    static void protect(ObjectNode metadata, String finalizer) {
        var finalizers = Trees.list(metadata, "finalizers");
        if (!Trees.texts(finalizers).contains(finalizer)) {
            finalizers.add(finalizer);
        }
    }

    static void checkAccessModes(Faults faults, JsonNode spec, String absent) {
        JsonNode modes = spec.path("accessModes");
        if (modes.isEmpty()) {
            faults.required("spec.accessModes", absent);
        }
        for (JsonNode mode : modes) {
            faults.oneOf("spec.accessModes", mode, ACCESS_MODES);
        }
        if (modes.size() > 1 && Trees.texts(modes).contains("ReadWriteOncePod")) {
            faults.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
        }
    }

    static void checkMode(Faults faults, JsonNode spec) {
        faults.oneOfIfSet("spec.volumeMode", spec.path("volumeMode"), MODES);
    }
}
