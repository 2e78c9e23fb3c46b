package io.keelson.resources.networking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cidrs;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;

/** Service address ranges. They are stored; services take their addresses from the server's own range. */
public final class ServiceCidrs {
    /** One range for each family. */
    private static final int MAX_RANGES = 2;

    private ServiceCidrs() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs")
                .strategy(KindStrategy.of(Trait.STATUS)
                        .check(ServiceCidrs::check)
                        .immutableSpec()
                        .build())
                .defaults(Defaults.of(range -> Trees.child(range, "spec")))
                .columns(
                        Column.of(
                                "CIDRs",
                                "string",
                                "The ranges, at most one for each family.",
                                (range, now) -> String.join(",", Trees.texts(Trees.at(range, "spec", "cidrs")))),
                        Column.AGE)
                .build();
    }

    private static void check(Faults faults, ObjectNode range) {
        JsonNode cidrs = Trees.at(range, "spec", "cidrs");
        if (cidrs.isEmpty()) {
            faults.required("spec.cidrs", "at least one CIDR required");
        } else if (cidrs.size() > MAX_RANGES) {
            faults.invalid("spec", range.path("spec"), "may only hold up to 2 values");
        }
        int i = 0;
        for (String cidr : Trees.texts(cidrs)) {
            Cidrs.check(faults, "spec.cidrs[" + i++ + "]", cidr);
        }
    }
}
