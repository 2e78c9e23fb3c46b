package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;

/** CSI nodes: which storage drivers a node has. */
public final class CsiNodes {
    private CsiNodes() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(StorageClasses.GROUP, "v1", "CSINode", "csinodes")
                .strategy(KindStrategy.of()
                        .check(CsiNodes::check)
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(CsiNodes::fill))
                .columns(
                        Column.of(
                                "Drivers",
                                "integer",
                                "How many drivers the node has.",
                                (node, now) -> Trees.at(node, "spec", "drivers").size()),
                        Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    /** A node without drivers says so. */
    private static void fill(ObjectNode node) {
        ObjectNode spec = Trees.child(node, "spec");
        if (!spec.has("drivers")) {
            spec.putNull("drivers");
        }
    }

    private static void check(Faults faults, ObjectNode node) {
        var names = new HashSet<String>();
        int i = 0;
        for (ObjectNode driver : Trees.objects(Trees.at(node, "spec", "drivers"))) {
            String at = "spec.drivers[" + i++ + "]";
            if (faults.present(at + ".name", driver.path("name")) && !names.add(Trees.text(driver, "name"))) {
                faults.duplicate(at + ".name", Trees.text(driver, "name"));
            }
            faults.present(at + ".nodeID", driver.path("nodeID"));
        }
    }
}
