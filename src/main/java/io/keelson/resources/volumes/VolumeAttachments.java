package io.keelson.resources.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;

/** Volume attachments: which volume is to be, and is, attached to which node. */
public final class VolumeAttachments {
    private VolumeAttachments() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(StorageClasses.GROUP, "v1", "VolumeAttachment", "volumeattachments")
                .strategy(KindStrategy.of(Trait.STATUS)
                        .initialStatus(status -> status.put("attached", false))
                        .check(VolumeAttachments::check)
                        .immutableSpec()
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(one -> Trees.child(one, "spec", "source")))
                .columns(
                        Cells.text("Attacher", "The driver that attaches it.", "spec", "attacher"),
                        Cells.text("PV", "The volume.", "spec", "source", "persistentVolumeName"),
                        Cells.text("Node", "The node.", "spec", "nodeName"),
                        Column.of(
                                "Attached",
                                "boolean",
                                "Whether the volume is attached.",
                                (one, now) ->
                                        Trees.at(one, "status", "attached").asBoolean()),
                        Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    private static void check(Faults faults, ObjectNode one) {
        JsonNode spec = one.path("spec");
        faults.present("spec.attacher", spec.path("attacher"));
        faults.present("spec.nodeName", spec.path("nodeName"));
        JsonNode source = spec.path("source");
        boolean inline = Trees.has(source, "inlineVolumeSpec");
        boolean named = !Trees.text(source, "persistentVolumeName").isEmpty();
        if (!inline && !named) {
            faults.required("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        } else if (inline && named) {
            faults.forbidden("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        }
    }
}
