package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;

/** Endpoints: the addresses behind a service. */
public final class EndpointsKind {
    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");

    private EndpointsKind() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "Endpoints", "endpoints")
                .shortNames("ep")
                .deprecation("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
                .strategy(new EndpointsStrategy())
                .defaults(Defaults.of(EndpointsKind::fill))
                .columns(
                        Column.of("Endpoints", "string", "Addresses and ports that serve.", (one, now) -> show(one)),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode endpoints) {
        for (ObjectNode subset : Trees.objects(endpoints.path("subsets"))) {
            Trees.objects(subset.path("ports")).forEach(port -> Trees.fill(port, "protocol", "TCP"));
        }
    }

    private static String show(ObjectNode endpoints) {
        var all = new ArrayList<String>();
        for (ObjectNode subset : Trees.objects(endpoints.path("subsets"))) {
            var addresses = Trees.objects(subset.path("addresses"));
            if (subset.path("ports").isEmpty()) {
                addresses.forEach(address -> all.add(Trees.text(address, "ip")));
            }
            for (ObjectNode port : Trees.objects(subset.path("ports"))) {
                String number = Trees.text(port, "port");
                addresses.forEach(address -> all.add(IpAddresses.withPort(Trees.text(address, "ip"), number)));
            }
        }
        return all.isEmpty() ? Cells.NONE : Cells.some(all, all.size());
    }

    private static final class EndpointsStrategy extends BasicStrategy {
        EndpointsStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public boolean allowCreateOnUpdate() {
            return true;
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode endpoints) {
            var faults = new Faults();
            int i = 0;
            for (ObjectNode subset : Trees.objects(endpoints.path("subsets"))) {
                String at = "subsets[" + i++ + "]";
                if (subset.path("addresses").isEmpty()
                        && subset.path("notReadyAddresses").isEmpty()) {
                    faults.required(at, "must specify `addresses` or `notReadyAddresses`");
                }
                checkAddresses(faults, at + ".addresses", subset.path("addresses"));
                checkAddresses(faults, at + ".notReadyAddresses", subset.path("notReadyAddresses"));
                checkPorts(faults, at + ".ports", subset.path("ports"));
            }
            return faults.list();
        }

        private static void checkAddresses(Faults faults, String path, JsonNode addresses) {
            int i = 0;
            for (ObjectNode address : Trees.objects(addresses)) {
                IpAddresses.check(faults, path + "[" + i + "].ip", Trees.text(address, "ip"));
                IpAddresses.checkReachable(faults, path + "[" + i++ + "].ip", Trees.text(address, "ip"));
            }
        }

        private static void checkPorts(Faults faults, String path, JsonNode ports) {
            int i = 0;
            for (ObjectNode port : Trees.objects(ports)) {
                String at = path + "[" + i++ + "]";
                if (ports.size() > 1) {
                    faults.present(at + ".name", port.path("name"));
                }
                faults.port(at + ".port", port.path("port"));
                faults.oneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
            }
        }
    }
}
