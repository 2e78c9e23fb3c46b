package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkingTest {
    private static final String BACKEND = "'backend':{'service':{'name':'s','port':{'number':80}}}";

    private final TestingKind ingresses = TestingKind.of("Ingress");
    private final TestingKind policies = TestingKind.of("NetworkPolicy");
    private final TestingKind classes = TestingKind.of("IngressClass");

    @Test
    void an_ingress_is_stored_as_it_comes_and_shows_hosts_addresses_and_ports() {
        ObjectNode ingress = ingresses.created("{'spec':{'rules':[{'host':'a.example.com','http':{'paths':["
                + "{'path':'/','pathType':'Prefix'," + BACKEND + "}]}}]},'status':{'x':1}}");
        assertThat(ingress.path("status")).isEqualTo(json("{'loadBalancer':{}}"));
        assertThat(ingress.at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(ingresses.cells(ingress)).containsExactly("x", "<none>", "a.example.com", "", "80", "60s");

        ObjectNode much = ingresses.created("{'spec':{'ingressClassName':'nginx','tls':[{'hosts':['*.b.com']}],'rules':"
                + "[{'host':'a.com'},{'host':'*.b.com'},{'host':'c.com'},{'host':'d.com'},{'host':'e.com'}]}}");
        much.set("status", json("{'loadBalancer':{'ingress':[{'ip':'10.0.0.2'},{'hostname':'lb.example.com'}]}}"));
        assertThat(ingresses.cells(much))
                .containsExactly("x", "nginx", "a.com,*.b.com,c.com + 2 more...", "10.0.0.2,lb.e...", "80, 443", "60s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'path':'x'} | spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified",
                "{'path':'x','pathType':'Exact'} | spec.rules[0].http.paths[0].path: Invalid value: ~x~: must be an absolute path",
                "{'path':'/a//b','pathType':'Prefix'} | spec.rules[0].http.paths[0].path: Invalid value: ~/a//b~: must not contain '//'",
                "{'path':'/','pathType':'Some'} | spec.rules[0].http.paths[0].pathType: Unsupported value: ~Some~: supported values: ~Exact~, ~ImplementationSpecific~, ~Prefix~",
            })
    void paths_of_an_ingress_are_judged_by_their_type(String path, String fault) {
        String whole = path.substring(0, path.length() - 1) + "," + BACKEND + "}";
        assertThat(ingresses.faults("{'spec':{'rules':[{'http':{'paths':[" + whole + "]}}]}}"))
                .containsExactly(fault.replace('~', '"'));
    }

    @Test
    void an_ingress_leads_somewhere() {
        assertThat(ingresses.faults("{'spec':{}}"))
                .containsExactly("spec: Invalid value: {}: either `defaultBackend` or `rules` must be specified");
        assertThat(ingresses.faults("{'spec':{'defaultBackend':{}}}"))
                .containsExactly("spec.defaultBackend: Invalid value: \"\": resource or service backend is required");
        assertThat(ingresses.faults("{'spec':{'defaultBackend':{'service':{'name':'S'}}}}"))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("spec.defaultBackend: Required value: port name or number");
        assertThat(ingresses.faults("{'spec':{'rules':[{'host':'10.1.1.1'},{'host':'a.*.com'}]}}"))
                .hasSize(2)
                .first()
                .asString()
                .isEqualTo("spec.rules[0].host: Invalid value: \"10.1.1.1\": must be a DNS name, not an IP address");
    }

    @Test
    void a_network_policy_is_for_what_it_has_rules_of() {
        assertThat(policies.created("{'spec':{'podSelector':{}}}").path("spec"))
                .isEqualTo(json("{'podSelector':{},'policyTypes':['Ingress']}"));
        ObjectNode both = policies.created("{'spec':{'podSelector':{'matchLabels':{'a':'b'}},'egress':[{'ports':"
                + "[{'port':53}],'to':[{'ipBlock':{'cidr':'10.0.0.0/8','except':['10.1.0.0/16']}}]}]}}");
        assertThat(both.at("/spec/policyTypes")).hasToString("[\"Ingress\",\"Egress\"]");
        assertThat(both.at("/spec/egress/0/ports/0/protocol").asText()).isEqualTo("TCP");
        assertThat(policies.cells(both)).containsExactly("x", "a=b", "60s");
    }

    @Test
    void peers_and_ports_of_a_network_policy_make_sense() {
        assertThat(policies.faults("{'spec':{'ingress':[{'from':[{}]}]}}"))
                .containsExactly("spec.ingress[0].from[0]: Required value: must specify a peer");
        assertThat(policies.faults(
                        "{'spec':{'ingress':[{'from':[{'podSelector':{},'ipBlock':{'cidr':'10.0.0.0/8'}}]}]}}"))
                .containsExactly("spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer");
        assertThat(
                        policies.faults(
                                "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.0/8','except':['11.0.0.0/8','10.0.0.0/8','x']}}]}]}}"))
                .hasSize(3);
        assertThat(policies.faults("{'spec':{'ingress':[{'ports':[{'port':90,'endPort':80,'protocol':'XTP'}]}],"
                        + "'policyTypes':['Up']}}"))
                .hasSize(3);
        assertThat(
                        policies.faults(
                                "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'2001:db8::/32','except':['2001:db8:1::/48']}}]}]}}"))
                .isEmpty();
    }

    @Test
    void an_ingress_class_keeps_its_controller() {
        ObjectNode one = classes.created(
                "{'spec':{'controller':'example.com/c','parameters':{'apiGroup':'g.com','kind':'K','name':'p'}}}");
        assertThat(classes.cells(one)).containsExactly("x", "example.com/c", "K.g.com/p", "60s");
        assertThat(one.at("/spec/parameters/scope").asText()).isEqualTo("Cluster");
        assertThat(classes.updateFaults(one, it -> ((ObjectNode) it.get("spec")).put("controller", "example.com/d")))
                .containsExactly("spec.controller: Invalid value: \"example.com/d\": field is immutable");
        assertThat(classes.faults("{'spec':{}}")).containsExactly("spec.controller: Required value");
        assertThat(classes.faults("{'spec':{'controller':'c'}}"))
                .containsExactly(
                        "spec.controller: Invalid value: \"c\": must be a domain-prefixed path (such as \"acme.io/foo\")");
    }

    @Test
    void addresses_and_ranges_are_named_and_judged_by_their_forms() {
        TestingKind addresses = TestingKind.of("IPAddress");
        assertThat(addresses.definition().nameRule().apply("10.96.0.1")).isEmpty();
        assertThat(addresses.definition().nameRule().apply("web")).isNotEmpty();
        ObjectNode address = addresses.created(
                "{'spec':{'parentRef':{'resource':'services','namespace':'default','name':'kubernetes'}}}");
        assertThat(addresses.cells(address)).containsExactly("x", "services/default/kubernetes", "60s");
        TestingKind ranges = TestingKind.of("ServiceCIDR");
        assertThat(ranges.cells(ranges.created("{'spec':{'cidrs':['10.96.0.0/16','fd00::/108']}}")))
                .containsExactly("x", "10.96.0.0/16,fd00::/108", "60s");
        assertThat(ranges.faults("{'spec':{'cidrs':['10.96.0.0/33']}}")).hasSize(1);
        assertThat(ranges.faults("{'spec':{}}")).hasSize(1);
    }
}
