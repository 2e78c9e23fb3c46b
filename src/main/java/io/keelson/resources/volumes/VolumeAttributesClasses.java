package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;

/** Volume attributes classes: settings of volumes that can change while they are used. */
public final class VolumeAttributesClasses {
    private VolumeAttributesClasses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(StorageClasses.GROUP, "v1", "VolumeAttributesClass", "volumeattributesclasses")
                .shortNames("vac")
                .strategy(KindStrategy.of()
                        .check(VolumeAttributesClasses::check)
                        .checkChange(VolumeAttributesClasses::checkChange)
                        .build())
                .defaults(Defaults.NONE)
                .columns(Cells.text("DriverName", "The driver that knows the settings.", "driverName"), Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    private static void check(Faults faults, ObjectNode one) {
        faults.present("driverName", one.path("driverName"));
        if (one.path("parameters").isEmpty()) {
            faults.required("parameters", "must contain at least one key/value pair");
        }
    }

    private static void checkChange(Faults faults, ObjectNode one, ObjectNode old) {
        faults.immutable("driverName", one.path("driverName"), old.path("driverName"));
        faults.immutable("parameters", one.path("parameters"), old.path("parameters"));
    }
}
