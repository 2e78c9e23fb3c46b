package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.stream.Collectors;

/** CSI drivers: what a storage driver can do and wants done. */
public final class CsiDrivers {
    private static final List<String> MODES = List.of("Ephemeral", "Persistent");
    private static final List<String> GROUP_POLICIES = List.of("File", "None", "ReadWriteOnceWithFSType");

    private CsiDrivers() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(StorageClasses.GROUP, "v1", "CSIDriver", "csidrivers")
                .strategy(KindStrategy.of()
                        .check(CsiDrivers::check)
                        .checkChange((faults, driver, old) -> faults.immutableSpec(
                                driver, old, "attachRequired", "fsGroupPolicy", "volumeLifecycleModes"))
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(CsiDrivers::fill))
                .columns(
                        flag("AttachRequired", "Whether volumes must be attached.", "attachRequired"),
                        flag("PodInfoOnMount", "Whether the driver is told of the pod.", "podInfoOnMount"),
                        flag("StorageCapacity", "Whether it publishes its capacity.", "storageCapacity"),
                        Column.of(
                                "TokenRequests",
                                "string",
                                "Whom the tokens it is given are for.",
                                (driver, now) -> audiences(driver)),
                        flag("RequiresRepublish", "Whether volumes are published again.", "requiresRepublish"),
                        Column.of(
                                "Modes",
                                "string",
                                "The lives of volumes that it knows.",
                                (driver, now) -> Cells.orNone(String.join(
                                        ",", Trees.texts(Trees.at(driver, "spec", "volumeLifecycleModes"))))),
                        Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    private static Column flag(String name, String description, String field) {
        return Column.of(
                name,
                "boolean",
                description,
                (driver, now) -> Trees.at(driver, "spec", field).asBoolean());
    }

    private static String audiences(ObjectNode driver) {
        JsonNode requests = Trees.at(driver, "spec", "tokenRequests");
        return requests.isMissingNode()
                ? Cells.UNSET
                : Trees.objects(requests).stream()
                        .map(request -> Trees.text(request, "audience"))
                        .collect(Collectors.joining(","));
    }

    private static void fill(ObjectNode driver) {
        ObjectNode spec = Trees.child(driver, "spec");
        Trees.fill(spec, "attachRequired", true);
        Trees.fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        for (String flag : List.of("podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity")) {
            Trees.fill(spec, flag, false);
        }
        if (!Trees.has(spec, "volumeLifecycleModes")) {
            spec.putArray("volumeLifecycleModes").add("Persistent");
        }
    }

    private static void check(Faults faults, ObjectNode driver) {
        JsonNode spec = driver.path("spec");
        faults.oneOf("spec.fsGroupPolicy", spec.path("fsGroupPolicy"), GROUP_POLICIES);
        for (JsonNode mode : spec.path("volumeLifecycleModes")) {
            faults.oneOf("spec.volumeLifecycleModes", mode, MODES);
        }
    }
}
