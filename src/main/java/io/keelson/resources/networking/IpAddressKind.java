package io.keelson.resources.networking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.SelectableFields;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** IP addresses: each is named by an address that is taken, and says by what. */
public final class IpAddressKind {
    private IpAddressKind() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("networking.k8s.io", "v1", "IPAddress", "ipaddresses")
                .shortNames("ip")
                .nameRule(IpAddressKind::name)
                .selectableFields(SelectableFields.of(List.of("spec.parentRef.name")))
                .strategy(KindStrategy.of()
                        .check(IpAddressKind::check)
                        .immutableSpec()
                        .build())
                .defaults(Defaults.of(address -> Trees.child(address, "spec")))
                .columns(
                        Column.of("ParentRef", "string", "What holds the address.", (address, now) -> parent(address)),
                        Column.AGE)
                .build();
    }

    private static List<String> name(String name) {
        return IpAddresses.isValid(name)
                ? List.of()
                : List.of("must be a valid IP address in canonical form, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }

    private static String parent(ObjectNode address) {
        JsonNode parent = Trees.at(address, "spec", "parentRef");
        if (!parent.isObject()) {
            return Cells.NONE;
        }
        String group = Trees.text(parent, "group");
        String resource = Trees.text(parent, "resource") + (group.isEmpty() ? "" : "." + group);
        String namespace = Trees.text(parent, "namespace");
        return resource + "/" + (namespace.isEmpty() ? "" : namespace + "/") + Trees.text(parent, "name");
    }

    private static void check(Faults faults, ObjectNode address) {
        JsonNode parent = Trees.at(address, "spec", "parentRef");
        if (!parent.isObject()) {
            faults.required("spec.parentRef", "");
            return;
        }
        faults.present("spec.parentRef.resource", parent.path("resource"));
        faults.present("spec.parentRef.name", parent.path("name"));
    }
}
