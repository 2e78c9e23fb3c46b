package io.keelson.resources.devices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;

/** Devices of nodes, classes of them, and claims to some. They are stored; nothing allocates devices here. */
public final class DeviceKinds {
    private static final String GROUP = "resource.k8s.io";

    private DeviceKinds() {}

    public static ResourceDefinition classes() {
        return ResourceDefinition.of(GROUP, "v1", "DeviceClass", "deviceclasses")
                .singular("deviceclass")
                .strategy(KindStrategy.of(Trait.GENERATION).build())
                .defaults(Defaults.of(one -> Trees.child(one, "spec")))
                .build();
    }

    public static ResourceDefinition claims() {
        return ResourceDefinition.of(GROUP, "v1", "ResourceClaim", "resourceclaims")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.STATUS)
                        .check((faults, claim) -> checkClaim(faults, "spec", claim.path("spec")))
                        .immutableSpec()
                        .build())
                .defaults(Defaults.of(claim -> fillClaim(Trees.child(claim, "spec"))))
                .columns(
                        Column.of("State", "string", "What has become of it.", (claim, now) -> state(claim)),
                        Column.AGE)
                .build();
    }

    public static ResourceDefinition templates() {
        return ResourceDefinition.of(GROUP, "v1", "ResourceClaimTemplate", "resourceclaimtemplates")
                .strategy(KindStrategy.of(Trait.NAMESPACED)
                        .check((faults, one) -> checkClaim(faults, "spec.spec", Trees.at(one, "spec", "spec")))
                        .immutableSpec()
                        .build())
                .defaults(Defaults.of(one -> fillClaim(Trees.child(one, "spec", "spec"))))
                .build();
    }

    public static ResourceDefinition slices() {
        return ResourceDefinition.of(GROUP, "v1", "ResourceSlice", "resourceslices")
                .selectableFields(SelectableFields.of(List.of("spec.nodeName", "spec.driver")))
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .check(DeviceKinds::checkSlice)
                        .checkChange((faults, one, old) -> faults.immutableSpec(one, old, "driver", "nodeName"))
                        .build())
                .defaults(Defaults.of(one -> Trees.child(Trees.child(one, "spec"), "pool")))
                .columns(
                        Column.of(
                                "Node",
                                "string",
                                "The node whose devices they are.",
                                (one, now) -> Trees.text(one, "spec", "nodeName")),
                        Cells.text("Driver", "Who tells of them.", "spec", "driver"),
                        Cells.text("Pool", "The pool that they belong to.", "spec", "pool", "name"),
                        Column.AGE)
                .build();
    }

    private static void fillClaim(ObjectNode spec) {
        for (ObjectNode request : Trees.objects(Trees.child(spec, "devices").path("requests"))) {
            if (request.path("exactly") instanceof ObjectNode exactly) {
                fillRequest(exactly);
            }
            Trees.objects(request.path("firstAvailable")).forEach(DeviceKinds::fillRequest);
        }
    }

    private static void fillRequest(ObjectNode request) {
        Trees.fill(request, "allocationMode", "ExactCount");
        if (Trees.text(request, "allocationMode").equals("ExactCount")) {
            Trees.fillZero(request, "count", 1);
        }
        for (ObjectNode toleration : Trees.objects(request.path("tolerations"))) {
            Trees.fill(toleration, "operator", "Equal");
        }
    }

    private static String state(ObjectNode claim) {
        JsonNode status = claim.path("status");
        if (Trees.at(claim, "metadata").has("deletionTimestamp")) {
            return "deleted" + (status.has("allocation") ? ",allocated" : "");
        }
        String state = status.has("allocation") ? "allocated" : "pending";
        return status.path("reservedFor").isEmpty() ? state : state + ",reserved";
    }

    private static void checkClaim(Faults faults, String field, JsonNode spec) {
        var names = new HashSet<String>();
        int i = 0;
        for (ObjectNode request : Trees.objects(Trees.at(spec, "devices", "requests"))) {
            String at = field + ".devices.requests[" + i++ + "]";
            String name = Trees.text(request, "name");
            faults.presentByRule(at + ".name", request.path("name"), Names::label);
            if (!name.isEmpty() && !names.add(name)) {
                faults.duplicate(at + ".name", name);
            }
            boolean exactly = request.has("exactly");
            boolean some = request.has("firstAvailable");
            if (exactly == some) {
                String one = "exactly one of `exactly` or `firstAvailable` is required";
                if (exactly) {
                    faults.invalid(at, null, one + ", but multiple fields are set");
                } else {
                    faults.required(at, one);
                }
            }
            if (exactly) {
                checkRequest(faults, at + ".exactly", request.path("exactly"));
            }
            int j = 0;
            for (ObjectNode available : Trees.objects(request.path("firstAvailable"))) {
                String sub = at + ".firstAvailable[" + j++ + "]";
                faults.presentByRule(sub + ".name", available.path("name"), Names::label);
                checkRequest(faults, sub, available);
            }
        }
    }

    private static void checkRequest(Faults faults, String field, JsonNode request) {
        faults.presentByRule(field + ".deviceClassName", request.path("deviceClassName"), Names::subdomain);
        boolean all = Trees.text(request, "allocationMode").equals("All");
        if (all && request.path("count").asLong() != 0) {
            faults.invalid(
                    field + ".count", request.path("count"), "must not be specified when allocationMode is 'All'");
        } else if (!all && request.path("count").asLong() <= 0) {
            faults.invalid(field + ".count", request.path("count"), "must be greater than zero");
        }
    }

    private static void checkSlice(Faults faults, ObjectNode slice) {
        JsonNode spec = slice.path("spec");
        faults.presentByRule("spec.driver", spec.path("driver"), Names::subdomain);
        faults.present("spec.pool.name", Trees.at(spec, "pool", "name"));
        if (Trees.at(spec, "pool", "resourceSliceCount").asLong() <= 0) {
            faults.invalid(
                    "spec.pool.resourceSliceCount",
                    Trees.at(spec, "pool", "resourceSliceCount").asLong(),
                    "must be greater than zero");
        }
        long places = List.of("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection").stream()
                .filter(spec::has)
                .count();
        String one = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
        if (places == 0) {
            faults.required("spec", one);
        } else if (places > 1) {
            faults.invalid("spec", null, one + ", but multiple fields are set");
        }
    }
}
