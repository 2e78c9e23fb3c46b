package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Cidrs;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.function.Predicate;

/** Which fields of a service belong to its type, and what becomes of them where they do not. Stateless. */
final class ServiceTypes {
    private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
    private static final List<String> DISTRIBUTIONS = List.of("PreferClose", "PreferSameNode", "PreferSameZone");
    private static final String HEALTH_PORT = "healthCheckNodePort";
    private static final String EXTERNAL_POLICY = "externalTrafficPolicy";

    private ServiceTypes() {}

    static boolean isBalanced(JsonNode spec) {
        return Trees.text(spec, "type").equals("LoadBalancer");
    }

    /** Whether the service can be reached from outside, so that it matters how. */
    static boolean isExternal(JsonNode spec) {
        String type = Trees.text(spec, "type");
        return type.equals("NodePort")
                || type.equals("LoadBalancer")
                || (type.equals("ClusterIP") && !spec.path("externalIPs").isEmpty());
    }

    /** Whether a load balancer has to ask each node whether it serves. */
    static boolean wantsHealthPort(JsonNode spec) {
        return isBalanced(spec) && Trees.text(spec, EXTERNAL_POLICY).equals("Local");
    }

    /**
     * Drops what belonged to the old type and not to the new, unless the update changes it: then it is for the rules to refuse.
     */
    static void dropForeign(ObjectNode spec, JsonNode old) {
        drop(spec, old, ServiceSpecs::wantsAddress, "clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
        drop(spec, old, ServiceTypes::wantsHealthPort, HEALTH_PORT);
        drop(spec, old, ServiceTypes::isBalanced, "allocateLoadBalancerNodePorts", "loadBalancerClass");
        drop(spec, old, ServiceTypes::isExternal, EXTERNAL_POLICY);
        if (ServiceSpecs.wantsNodePorts(old)
                && !hasNodePorts(spec)
                && nodePorts(spec).equals(nodePorts(old))) {
            Trees.objects(spec.path("ports")).forEach(port -> port.remove("nodePort"));
        }
    }

    private static void drop(ObjectNode spec, JsonNode old, Predicate<JsonNode> belongs, String... fields) {
        if (belongs.test(old) && !belongs.test(spec) && !ServiceSpecs.isHeadless(spec)) {
            for (String field : fields) {
                if (spec.path(field).equals(old.path(field))) {
                    spec.remove(field);
                }
            }
        }
    }

    private static boolean hasNodePorts(JsonNode spec) {
        return isBalanced(spec) || Trees.text(spec, "type").equals("NodePort");
    }

    private static List<Long> nodePorts(JsonNode spec) {
        return Trees.objects(spec.path("ports")).stream()
                .map(port -> port.path("nodePort").asLong())
                .toList();
    }

    static void check(Faults faults, JsonNode spec) {
        checkPolicies(faults, spec);
        checkBalancer(faults, spec);
        int i = 0;
        for (ObjectNode port : Trees.objects(spec.path("ports"))) {
            String protocol = Trees.text(port, "appProtocol");
            if (!protocol.isEmpty()) {
                faults.rule("spec.ports[" + i + "].appProtocol", protocol, Names::labelKey);
            }
            i++;
        }
        checkFamilies(faults, spec);
        faults.oneOfIfSet("spec.trafficDistribution", spec.path("trafficDistribution"), DISTRIBUTIONS);
        i = 0;
        for (String address : Trees.texts(spec.path("externalIPs"))) {
            if (IpAddresses.isIpv4(address)) {
                IpAddresses.checkReachable(faults, "spec.externalIPs[" + i + "]", address);
            }
            i++;
        }
    }

    private static void checkPolicies(Faults faults, JsonNode spec) {
        JsonNode policy = spec.path(EXTERNAL_POLICY);
        if (!isExternal(spec) && !policy.asText().isEmpty()) {
            faults.invalid("spec." + EXTERNAL_POLICY, policy, "may only be set for externally-accessible services");
        } else if (isExternal(spec) && policy.asText().isEmpty()) {
            faults.required("spec." + EXTERNAL_POLICY, "");
        }
        if (!wantsHealthPort(spec) && spec.path(HEALTH_PORT).asLong() != 0) {
            faults.invalid(
                    "spec." + HEALTH_PORT,
                    spec.path(HEALTH_PORT),
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
    }

    private static void checkBalancer(Faults faults, JsonNode spec) {
        JsonNode ranges = spec.path("loadBalancerSourceRanges");
        if (isBalanced(spec)) {
            int i = 0;
            for (String range : Trees.texts(ranges)) {
                Cidrs.check(faults, "spec.loadBalancerSourceRanges[" + i++ + "]", range.strip());
            }
            String type = Trees.text(spec, "loadBalancerClass");
            if (!type.isEmpty()) {
                faults.rule("spec.loadBalancerClass", type, Names::labelKey);
            }
            return;
        }
        if (!ranges.isEmpty()) {
            faults.forbidden("spec.loadBalancerSourceRanges", ONLY_BALANCED);
        }
        for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
            if (spec.has(field)) {
                faults.forbidden("spec." + field, ONLY_BALANCED);
            }
        }
    }

    /** The cluster speaks IPv4; only a service without addresses of its own may speak of both. */
    private static void checkFamilies(Faults faults, JsonNode spec) {
        boolean anyFamily =
                ServiceSpecs.isHeadless(spec) && spec.path("selector").isEmpty();
        if (!ServiceSpecs.wantsAddress(spec) || anyFamily) {
            return;
        }
        if (Trees.text(spec, "ipFamilyPolicy").equals("RequireDualStack")) {
            faults.invalid(
                    "spec.ipFamilyPolicy",
                    spec.path("ipFamilyPolicy"),
                    "this cluster is not configured for dual-stack services");
        }
        int i = 0;
        for (String family : Trees.texts(spec.path("ipFamilies"))) {
            if (family.equals("IPv6")) {
                faults.invalid("spec.ipFamilies[" + i + "]", family, "not configured on this cluster");
            }
            i++;
        }
    }
}
