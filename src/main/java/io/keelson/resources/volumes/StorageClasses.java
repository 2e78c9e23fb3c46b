package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Storage classes: how volumes are provisioned for the claims that name one. */
public final class StorageClasses {
    static final String GROUP = "storage.k8s.io";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final List<String> RECLAIM = List.of("Delete", "Retain");
    private static final List<String> BINDING = List.of("Immediate", "WaitForFirstConsumer");

    private StorageClasses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(GROUP, "v1", "StorageClass", "storageclasses")
                .shortNames("sc")
                .strategy(KindStrategy.of()
                        .check(StorageClasses::check)
                        .checkChange(StorageClasses::checkChange)
                        .build())
                .defaults(Defaults.of(StorageClasses::fill))
                .allColumns(
                        new Column(
                                "Name",
                                "string",
                                "name",
                                "The object's name, and whether it is the class of claims that name none.",
                                0,
                                (one, now) -> name(one)),
                        Cells.text("Provisioner", "Who makes the volumes.", "provisioner"),
                        Cells.text("ReclaimPolicy", "What becomes of a volume when its claim goes.", "reclaimPolicy"),
                        Cells.text("VolumeBindingMode", "When volumes are made.", "volumeBindingMode"),
                        Column.of(
                                "AllowVolumeExpansion",
                                "string",
                                "Whether volumes can be made larger.",
                                (one, now) -> one.path("allowVolumeExpansion").asBoolean()),
                        Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    private static String name(ObjectNode one) {
        String name = Trees.text(one, "metadata", "name");
        boolean isDefault =
                Trees.text(one, "metadata", "annotations", DEFAULT_CLASS).equals("true");
        return isDefault ? name + " (default)" : name;
    }

    private static void fill(ObjectNode one) {
        Trees.fill(one, "reclaimPolicy", "Delete");
        Trees.fill(one, "volumeBindingMode", "Immediate");
    }

    private static void check(Faults faults, ObjectNode one) {
        faults.presentByRule("provisioner", one.path("provisioner"), Names::labelKey);
        faults.oneOf("reclaimPolicy", one.path("reclaimPolicy"), RECLAIM);
        faults.oneOf("volumeBindingMode", one.path("volumeBindingMode"), BINDING);
    }

    private static void checkChange(Faults faults, ObjectNode one, ObjectNode old) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!one.path(field).equals(old.path(field))) {
                faults.forbidden(field, "updates to " + field + " are forbidden.");
            }
        }
        faults.immutable("volumeBindingMode", one.path("volumeBindingMode"), old.path("volumeBindingMode"));
    }
}
