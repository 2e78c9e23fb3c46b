package io.keelson.resources.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
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
import java.util.HashSet;
import java.util.List;

/** Endpoint slices: some of the addresses behind a service. */
public final class EndpointSlices {
    private static final List<String> TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    /** How many endpoints a slice holds. */
    private static final int MAX_ENDPOINTS = 1000;

    /** How many addresses an endpoint has. */
    private static final int MAX_ADDRESSES = 100;

    /** How many ports a slice has. */
    private static final int MAX_PORTS = 20_000;

    private EndpointSlices() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices")
                .strategy(new SliceStrategy())
                .defaults(Defaults.of(EndpointSlices::fill))
                .columns(
                        Cells.text("AddressType", "The form of the addresses.", "addressType"),
                        Column.of("Ports", "string", "The ports that serve.", (slice, now) -> ports(slice)),
                        Column.of("Endpoints", "string", "The addresses that serve.", (slice, now) -> addresses(slice)),
                        Column.AGE)
                .build();
    }

    /** Lists that are empty are there all the same. */
    private static void fill(ObjectNode slice) {
        for (ObjectNode endpoint : Trees.objects(slice.path("endpoints"))) {
            Trees.child(endpoint, "conditions");
        }
        for (ObjectNode port : Trees.objects(slice.path("ports"))) {
            Trees.fill(port, "name", "");
            Trees.fill(port, "protocol", "TCP");
        }
        for (String list : List.of("endpoints", "ports")) {
            if (!slice.has(list)) {
                slice.putNull(list);
            }
        }
    }

    private static String ports(ObjectNode slice) {
        var ports = new ArrayList<String>();
        for (ObjectNode port : Trees.objects(slice.path("ports"))) {
            ports.add(Trees.has(port, "port") ? Trees.text(port, "port") : "*");
        }
        return ports.isEmpty() ? Cells.UNSET : Cells.some(ports, ports.size());
    }

    private static String addresses(ObjectNode slice) {
        var addresses = new ArrayList<String>();
        for (ObjectNode endpoint : Trees.objects(slice.path("endpoints"))) {
            addresses.addAll(Trees.texts(endpoint.path("addresses")));
        }
        return addresses.isEmpty() ? Cells.UNSET : Cells.some(addresses, addresses.size());
    }

    private static final class SliceStrategy extends BasicStrategy {
        SliceStrategy() {
            super(Trait.NAMESPACED, Trait.GENERATION);
        }

        /** Labels say which service the slice is of, so they too are a desired state. */
        @Override
        protected boolean desiredStateDiffers(ObjectNode object, ObjectNode old) {
            return super.desiredStateDiffers(object, old)
                    || !Trees.at(object, "metadata", "labels").equals(Trees.at(old, "metadata", "labels"));
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode slice) {
            var faults = new Faults();
            faults.oneOf("addressType", slice.path("addressType"), TYPES);
            JsonNode endpoints = slice.path("endpoints");
            if (endpoints.size() > MAX_ENDPOINTS) {
                faults.list().add(FieldError.tooMany("endpoints", endpoints.size(), MAX_ENDPOINTS));
                return faults.list();
            }
            int i = 0;
            for (ObjectNode endpoint : Trees.objects(endpoints)) {
                checkEndpoint(faults, "endpoints[" + i++ + "]", endpoint, Trees.text(slice, "addressType"));
            }
            checkPorts(faults, slice.path("ports"));
            return faults.list();
        }

        private static void checkEndpoint(Faults faults, String at, ObjectNode endpoint, String type) {
            List<String> addresses = Trees.texts(endpoint.path("addresses"));
            if (addresses.isEmpty()) {
                faults.required(at + ".addresses", "must contain at least 1 address");
            } else if (addresses.size() > MAX_ADDRESSES) {
                faults.list().add(FieldError.tooMany(at + ".addresses", addresses.size(), MAX_ADDRESSES));
            }
            int i = 0;
            for (String address : addresses) {
                checkAddress(faults, at + ".addresses[" + i++ + "]", address, type);
            }
            if (Trees.has(endpoint, "nodeName")) {
                faults.rule(at + ".nodeName", Trees.text(endpoint, "nodeName"), Names::subdomain);
            }
            if (Trees.has(endpoint, "hostname")) {
                faults.rule(at + ".hostname", Trees.text(endpoint, "hostname"), Names::label);
            }
        }

        private static void checkAddress(Faults faults, String field, String address, String type) {
            switch (type) {
                case "IPv4" -> {
                    IpAddresses.check(faults, field, address);
                    if (IpAddresses.isValid(address) && !IpAddresses.isIpv4(address)) {
                        faults.invalid(field, address, "must be an IPv4 address");
                    }
                    IpAddresses.checkReachable(faults, field, address);
                }
                case "IPv6" -> {
                    IpAddresses.check(faults, field, address);
                    if (IpAddresses.isIpv4(address)) {
                        faults.invalid(field, address, "must be an IPv6 address");
                    }
                    IpAddresses.checkReachable(faults, field, address);
                }
                case "FQDN" -> faults.rule(field, address, Names::subdomain);
                default -> {
                    // The type itself is told of.
                }
            }
        }

        private static void checkPorts(Faults faults, JsonNode ports) {
            if (ports.size() > MAX_PORTS) {
                faults.list().add(FieldError.tooMany("ports", ports.size(), MAX_PORTS));
                return;
            }
            var names = new HashSet<String>();
            int i = 0;
            for (ObjectNode port : Trees.objects(ports)) {
                String at = "ports[" + i++ + "]";
                String name = Trees.text(port, "name");
                if (!name.isEmpty()) {
                    faults.rule(at + ".name", name, Names::label);
                }
                if (!names.add(name)) {
                    faults.duplicate(at + ".name", name);
                }
                faults.oneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
                if (Trees.has(port, "port")) {
                    faults.port(at + ".port", port.path("port"));
                }
            }
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode slice, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, slice));
            faults.immutable("addressType", slice.path("addressType"), old.path("addressType"));
            return faults.list();
        }
    }
}
