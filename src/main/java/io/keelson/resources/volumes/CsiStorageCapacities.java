package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Selectors;
import java.util.List;

/** CSI storage capacities: how much a driver has left in a part of the cluster. */
public final class CsiStorageCapacities {
    private static final List<String> AMOUNTS = List.of("capacity", "maximumVolumeSize");

    private CsiStorageCapacities() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(StorageClasses.GROUP, "v1", "CSIStorageCapacity", "csistoragecapacities")
                .strategy(KindStrategy.of(Trait.NAMESPACED)
                        .check(CsiStorageCapacities::check)
                        .checkChange(CsiStorageCapacities::checkChange)
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(capacity -> AMOUNTS.forEach(amount -> Quantities.canonicalize(capacity, amount))))
                .columns(
                        Cells.text("StorageClassName", "The class that the capacity is of.", "storageClassName"),
                        Cells.text("Capacity", "How much is left.", "capacity"))
                .build();
    }

    private static void check(Faults faults, ObjectNode capacity) {
        faults.presentByRule("storageClassName", capacity.path("storageClassName"), Names::subdomain);
        for (String field : AMOUNTS) {
            JsonNode amount = capacity.path(field);
            if (Quantities.valueOrZero(amount).signum() < 0) {
                faults.invalid(field, amount, "must be greater than or equal to 0");
            }
        }
        Selectors.check(faults, "nodeTopology", capacity.path("nodeTopology"));
    }

    private static void checkChange(Faults faults, ObjectNode capacity, ObjectNode old) {
        faults.immutable("nodeTopology", capacity.path("nodeTopology"), old.path("nodeTopology"));
        faults.immutable("storageClassName", capacity.path("storageClassName"), old.path("storageClassName"));
    }
}
