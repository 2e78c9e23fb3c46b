package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A service's spec: its defaults, its addresses and families, its rules. The cluster speaks IPv4. */
final class ServiceSpecs {
    private static final String EXTERNAL_NAME = "ExternalName";
    private static final String HEADLESS = "None";
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    private static final List<String> AFFINITIES = List.of("ClientIP", "None");
    private static final List<String> TRAFFIC = List.of("Cluster", "Local");
    private static final List<String> FAMILY_POLICIES = List.of("PreferDualStack", "RequireDualStack", "SingleStack");
    private static final int AFFINITY_SECONDS = 10800;
    private static final int MAX_AFFINITY_SECONDS = 86400;

    private ServiceSpecs() {}

    static void defaults(ObjectNode spec) {
        Trees.fill(spec, "sessionAffinity", "None");
        Trees.fill(spec, "type", "ClusterIP");
        if (Trees.text(spec, "sessionAffinity").equals("ClientIP")) {
            Trees.fill(Trees.child(spec, "sessionAffinityConfig", "clientIP"), "timeoutSeconds", AFFINITY_SECONDS);
        }
        for (ObjectNode port : Trees.objects(spec.path("ports"))) {
            Trees.fill(port, "protocol", "TCP");
            String target = Trees.text(port, "targetPort");
            if ((target.isEmpty() || target.equals("0")) && Trees.has(port, "port")) {
                port.set("targetPort", port.get("port"));
            }
        }
        if (ServiceTypes.isExternal(spec)) {
            Trees.fill(spec, "externalTrafficPolicy", "Cluster");
        }
        if (!isExternalName(spec)) {
            Trees.fill(spec, "internalTrafficPolicy", "Cluster");
        }
        if (Trees.text(spec, "type").equals("LoadBalancer")) {
            Trees.fill(spec, "allocateLoadBalancerNodePorts", true);
        }
    }

    private static boolean isExternalName(JsonNode spec) {
        return Trees.text(spec, "type").equals(EXTERNAL_NAME);
    }

    static boolean isHeadless(JsonNode spec) {
        return Trees.text(spec, "clusterIP").equals(HEADLESS);
    }

    static boolean wantsAddress(JsonNode spec) {
        return !isExternalName(spec) && !isHeadless(spec);
    }

    static boolean wantsNodePorts(JsonNode spec) {
        String type = Trees.text(spec, "type");
        return type.equals("NodePort")
                || (type.equals("LoadBalancer")
                        && spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
    }

    static void setAddress(ObjectNode spec, String address) {
        spec.put("clusterIP", address);
        spec.putArray("clusterIPs").add(address);
    }

    /** One address and the list of addresses follow each other; the families follow from both. */
    static void settleAddresses(ObjectNode spec) {
        if (isExternalName(spec)) {
            return;
        }
        String address = Trees.text(spec, "clusterIP");
        JsonNode addresses = spec.path("clusterIPs");
        if (address.isEmpty() && !addresses.isEmpty()) {
            spec.put("clusterIP", addresses.path(0).asText());
        } else if (!address.isEmpty() && addresses.isEmpty()) {
            setAddress(spec, address);
        }
        boolean anyFamily = isHeadless(spec) && spec.path("selector").isEmpty();
        Trees.fill(spec, "ipFamilyPolicy", anyFamily ? "RequireDualStack" : "SingleStack");
        if (!Trees.has(spec, "ipFamilies")) {
            var families = spec.putArray("ipFamilies").add("IPv4");
            if (anyFamily && !Trees.text(spec, "ipFamilyPolicy").equals("SingleStack")) {
                families.add("IPv6");
            }
        }
    }

    /** An update that leaves out what was allocated keeps it. */
    static void keepAllocated(ObjectNode spec, JsonNode old) {
        if (isExternalName(spec) || isExternalName(old)) {
            ServiceTypes.dropForeign(spec, old);
            return;
        }
        if (Trees.text(spec, "clusterIP").isEmpty() && spec.path("clusterIPs").isEmpty()) {
            for (String field : List.of("clusterIP", "clusterIPs")) {
                if (old.has(field)) {
                    spec.set(field, old.get(field));
                }
            }
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy")) {
            if (!Trees.has(spec, field) && old.has(field)) {
                spec.set(field, old.get(field));
            }
        }
        if (wantsNodePorts(spec) && wantsNodePorts(old)) {
            keepNodePorts(spec, old);
        }
        boolean asked = spec.path("healthCheckNodePort").asLong() != 0;
        if (!asked && ServiceTypes.wantsHealthPort(spec) && old.has("healthCheckNodePort")) {
            spec.set("healthCheckNodePort", old.get("healthCheckNodePort"));
        }
        ServiceTypes.dropForeign(spec, old);
    }

    private static void keepNodePorts(ObjectNode spec, JsonNode old) {
        for (ObjectNode port : Trees.objects(spec.path("ports"))) {
            for (ObjectNode before : Trees.objects(old.path("ports"))) {
                if (port.path("nodePort").asLong() == 0
                        && before.has("nodePort")
                        && port.path("port").equals(before.path("port"))
                        && port.path("protocol").equals(before.path("protocol"))) {
                    port.set("nodePort", before.get("nodePort"));
                }
            }
        }
    }

    static void check(Faults faults, JsonNode spec) {
        if (spec.path("ports").isEmpty() && !isHeadless(spec) && !isExternalName(spec)) {
            faults.required("spec.ports", "");
        }
        if (isExternalName(spec)) {
            faults.presentByRule("spec.externalName", spec.path("externalName"), Names::subdomain);
            if (!Trees.text(spec, "clusterIP").isEmpty()) {
                faults.forbidden("spec.clusterIPs", "may not be set when `type` is 'ExternalName'");
            }
        }
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        int i = 0;
        for (ObjectNode port : Trees.objects(spec.path("ports"))) {
            checkPort(faults, "spec.ports[" + i++ + "]", port, spec, names);
            if (!numbers.add(Trees.text(port, "protocol") + Trees.text(port, "port"))) {
                faults.duplicate("spec.ports[" + (i - 1) + "]", shortForm(port));
            }
        }
        faults.labels("spec.selector", spec.path("selector"));
        faults.oneOf("spec.sessionAffinity", spec.path("sessionAffinity"), AFFINITIES);
        faults.oneOf("spec.type", spec.path("type"), TYPES);
        checkAffinity(faults, spec);
        checkAddress(faults, spec);
        faults.oneOfIfSet("spec.externalTrafficPolicy", spec.path("externalTrafficPolicy"), TRAFFIC);
        faults.oneOfIfSet("spec.internalTrafficPolicy", spec.path("internalTrafficPolicy"), TRAFFIC);
        faults.oneOfIfSet("spec.ipFamilyPolicy", spec.path("ipFamilyPolicy"), FAMILY_POLICIES);
        i = 0;
        for (String address : Trees.texts(spec.path("externalIPs"))) {
            IpAddresses.check(faults, "spec.externalIPs[" + i++ + "]", address);
        }
        ServiceTypes.check(faults, spec);
    }

    private static void checkPort(Faults faults, String at, ObjectNode port, JsonNode spec, Set<String> names) {
        String name = Trees.text(port, "name");
        if (!name.isEmpty()) {
            faults.rule(at + ".name", name, Names::label);
            if (!names.add(name)) {
                faults.duplicate(at + ".name", name);
            }
        } else if (spec.path("ports").size() > 1) {
            faults.required(at + ".name", "");
        }
        faults.port(at + ".port", port.path("port"));
        faults.oneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
        faults.portOrName(at + ".targetPort", port.path("targetPort"));
        if (port.path("nodePort").asLong() != 0) {
            String type = Trees.text(spec, "type");
            if (type.equals("ClusterIP") || isExternalName(spec)) {
                faults.forbidden(at + ".nodePort", "may not be used when `type` is '" + type + "'");
            } else {
                faults.port(at + ".nodePort", port.path("nodePort"));
            }
        }
    }

    private static void checkAffinity(Faults faults, JsonNode spec) {
        JsonNode seconds = Trees.at(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
        boolean sticky = Trees.text(spec, "sessionAffinity").equals("ClientIP");
        if (sticky && (seconds.asLong() < 1 || seconds.asLong() > MAX_AFFINITY_SECONDS)) {
            faults.invalid(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    seconds,
                    "must be greater than 0 and less than 86400");
        } else if (!sticky && spec.has("sessionAffinityConfig")) {
            faults.forbidden("spec.sessionAffinityConfig", "must not be set when session affinity is None");
        }
    }

    private static ObjectNode shortForm(ObjectNode port) {
        return port.deepCopy().retain("port", "protocol");
    }

    private static void checkAddress(Faults faults, JsonNode spec) {
        String address = Trees.text(spec, "clusterIP");
        if (!address.isEmpty() && !address.equals(HEADLESS)) {
            IpAddresses.check(faults, "spec.clusterIPs[0]", address);
        }
        if (address.equals(HEADLESS) && wantsNodePorts(spec)) {
            faults.invalid(
                    "spec.clusterIPs[0]",
                    address,
                    "may not be set to 'None' for " + Trees.text(spec, "type") + " services");
        }
        JsonNode first = spec.path("clusterIPs").path(0);
        if (!address.isEmpty() && !first.isMissingNode() && !first.asText().equals(address)) {
            faults.invalid("spec.clusterIP", address, "must be the same as the first element of `clusterIPs`");
        }
    }
}
