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
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Network policies: who may talk to the pods that they select. */
public final class NetworkPolicies {
    private static final List<String> TYPES = List.of("Egress", "Ingress");
    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private NetworkPolicies() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies")
                .shortNames("netpol")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.GENERATION)
                        .check(NetworkPolicies::check)
                        .build())
                .defaults(Defaults.of(NetworkPolicies::fill))
                .columns(
                        Column.of(
                                "Pod-Selector",
                                "string",
                                "The pods that the policy is for.",
                                (policy, now) -> Selectors.show(Trees.at(policy, "spec", "podSelector"))),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode policy) {
        ObjectNode spec = Trees.child(policy, "spec");
        Trees.child(spec, "podSelector");
        if (!Trees.has(spec, "policyTypes")) {
            var types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
        for (String direction : List.of("ingress", "egress")) {
            for (ObjectNode rule : Trees.objects(spec.path(direction))) {
                Trees.objects(rule.path("ports")).forEach(port -> Trees.fill(port, "protocol", "TCP"));
            }
        }
    }

    private static void check(Faults faults, ObjectNode policy) {
        JsonNode spec = policy.path("spec");
        Selectors.check(faults, "spec.podSelector", spec.path("podSelector"));
        checkRules(faults, "spec.ingress", spec.path("ingress"), "from");
        checkRules(faults, "spec.egress", spec.path("egress"), "to");
        JsonNode types = spec.path("policyTypes");
        if (types.size() > TYPES.size()) {
            faults.invalid("spec.policyTypes", types, "may not specify more than two policyTypes");
        }
        int i = 0;
        for (JsonNode type : types) {
            faults.oneOf("spec.policyTypes[" + i++ + "]", type, TYPES);
        }
    }

    private static void checkRules(Faults faults, String path, JsonNode rules, String peers) {
        int i = 0;
        for (ObjectNode rule : Trees.objects(rules)) {
            String at = path + "[" + i++ + "]";
            int j = 0;
            for (ObjectNode port : Trees.objects(rule.path("ports"))) {
                checkPort(faults, at + ".ports[" + j++ + "]", port);
            }
            j = 0;
            for (ObjectNode peer : Trees.objects(rule.path(peers))) {
                checkPeer(faults, at + "." + peers + "[" + j++ + "]", peer);
            }
        }
    }

    private static void checkPort(Faults faults, String at, ObjectNode port) {
        faults.oneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
        JsonNode number = port.path("port");
        if (!number.isMissingNode()) {
            faults.portOrName(at + ".port", number);
        }
        JsonNode end = port.path("endPort");
        if (end.isMissingNode()) {
            return;
        }
        if (number.isMissingNode()) {
            faults.required(at + ".endPort", "must be specified when `port` is specified");
        } else if (number.isTextual()) {
            faults.invalid(at + ".endPort", end, "may not be specified when `port` is non-numeric");
        } else if (end.asLong() < number.asLong()) {
            faults.invalid(at + ".endPort", end, "must be greater than or equal to `port`");
        } else {
            faults.port(at + ".endPort", end);
        }
    }

    private static void checkPeer(Faults faults, String at, ObjectNode peer) {
        int kinds = 0;
        for (String selector : List.of("podSelector", "namespaceSelector")) {
            if (Trees.has(peer, selector)) {
                kinds++;
                Selectors.check(faults, at + "." + selector, peer.path(selector));
            }
        }
        if (!Trees.has(peer, "ipBlock")) {
            if (kinds == 0) {
                faults.required(at, "must specify a peer");
            }
            return;
        }
        if (kinds > 0) {
            faults.forbidden(at, "may not specify both ipBlock and another peer");
        }
        checkBlock(faults, at + ".ipBlock", peer.path("ipBlock"));
    }

    private static void checkBlock(Faults faults, String at, JsonNode block) {
        if (!faults.present(at + ".cidr", block.path("cidr"))) {
            return;
        }
        String cidr = Trees.text(block, "cidr");
        Cidrs.check(faults, at + ".cidr", cidr);
        int i = 0;
        for (String except : Trees.texts(block.path("except"))) {
            String field = at + ".except[" + i++ + "]";
            Cidrs.check(faults, field, except);
            if (Cidrs.isValid(cidr) && Cidrs.isValid(except) && !Cidrs.isStrictSubset(except, cidr)) {
                faults.invalid(field, except, "must be a strict subset of `cidr`");
            }
        }
    }
}
