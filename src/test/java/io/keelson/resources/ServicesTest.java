package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.registry.Hooks.Finish;
import io.keelson.registry.RequestContext;
import io.keelson.resources.core.ServiceAllocator;
import io.keelson.resources.core.Services;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServicesTest {
    private final TestingKind services = TestingKind.of("Service");

    private static ObjectNode spec(ObjectNode service) {
        return (ObjectNode) service.get("spec");
    }

    @Test
    void smallest_service_gets_an_address_and_is_filled_in() {
        ObjectNode service = services.created("{'spec':{'selector':{'app':'a'},'ports':[{'port':80}]}}");
        String address = service.at("/spec/clusterIP").asText();
        assertThat(address).startsWith("10.96.");
        assertThat(service.at("/spec/clusterIPs/0").asText()).isEqualTo(address);
        assertThat(spec(service).without(List.of("clusterIP", "clusterIPs")).toString())
                .isEqualTo(json("""
                                        {'selector':{'app':'a'},'ports':[{'port':80,'protocol':'TCP','targetPort':80}],
                                        'sessionAffinity':'None','type':'ClusterIP','internalTrafficPolicy':'Cluster',
                                        'ipFamilyPolicy':'SingleStack','ipFamilies':['IPv4']}""").toString());
        assertThat(service.get("status")).isEqualTo(json("{'loadBalancer':{}}"));
        spec(service).put("clusterIP", address);
        assertThat(services.cells(service))
                .containsExactly("x", "ClusterIP", address, "<none>", "80/TCP", "60s", "app=a");
    }

    @Test
    void headless_service_without_a_selector_has_both_families() {
        ObjectNode service = services.created(
                "{'spec':{'clusterIP':'None','ports':[{'port':80,'name':'http','targetPort':'web'}]}}");
        assertThat(spec(service).get("clusterIPs").toString()).isEqualTo("[\"None\"]");
        assertThat(spec(service).get("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
        assertThat(spec(service).get("ipFamilyPolicy").asText()).isEqualTo("RequireDualStack");
    }

    @Test
    void ports_are_checked() {
        assertThat(services.faults("{'spec':{'selector':{'a':'b'}}}")).containsExactly("spec.ports: Required value");
        assertThat(services.faults("{'spec':{'ports':[{'port':0},{'port':80,'protocol':'XTP'}]}}"))
                .containsExactly(
                        "spec.ports[0].name: Required value",
                        "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
                        "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
                        "spec.ports[1].name: Required value",
                        "spec.ports[1].protocol: Unsupported value: \"XTP\": supported values: \"SCTP\", \"TCP\", \"UDP\"");
        assertThat(services.faults("{'spec':{'ports':[{'port':80,'nodePort':30001}]}}"))
                .containsExactly("spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'");
        assertThat(services.definition().nameRule().apply("a.b")).containsExactly("must not contain dots");
    }

    @Test
    void external_name_has_no_address() {
        ObjectNode service = services.created("{'spec':{'type':'ExternalName','externalName':'a.example.com'}}");
        assertThat(spec(service).has("clusterIP")).isFalse();
        assertThat(services.cells(service)).contains("a.example.com", "<none>");
        assertThat(services.faults("{'spec':{'type':'ExternalName'}}"))
                .containsExactly("spec.externalName: Required value");
    }

    @Test
    void address_is_kept_and_may_not_change() {
        ObjectNode service = services.created("{'spec':{'ports':[{'port':80}]}}");
        String address = service.at("/spec/clusterIP").asText();
        assertThat(services.updated(service, one -> spec(one).without(List.of("clusterIP", "clusterIPs")))
                        .at("/spec/clusterIP")
                        .asText())
                .isEqualTo(address);
        assertThat(services.updateFaults(service, one -> {
                    spec(one).put("clusterIP", "10.96.9.9");
                    spec(one).putArray("clusterIPs").add("10.96.9.9");
                }))
                .containsExactly("spec.clusterIPs[0]: Invalid value: [\"10.96.9.9\"]: may not change once set");
    }

    @Test
    void node_ports_are_handed_out_and_shown() {
        ObjectNode service = services.created("{'spec':{'type':'NodePort','ports':[{'port':80}]}}");
        long port = service.at("/spec/ports/0/nodePort").asLong();
        assertThat(port).isBetween(30000L, 32767L);
        assertThat(services.cells(service)).contains("80:" + port + "/TCP");
        assertThat(service.at("/spec/externalTrafficPolicy").asText()).isEqualTo("Cluster");
    }

    @Test
    void address_is_given_once_and_given_back_after_a_failure() {
        var context = RequestContext.internal("n", TestingKind.NOW);
        ObjectNode existing = json("{'spec':{'clusterIP':'10.96.0.7'}}");
        var hooks = Services.definition(new ServiceAllocator(() -> List.of(existing)))
                .hooks();
        ObjectNode taken =
                json("{'metadata':{'name':'x'},'spec':{'clusterIP':'10.96.0.7','clusterIPs':['10.96.0.7']}}");
        assertThatThrownBy(() -> hooks.beginCreate(context, taken))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.clusterIPs: Invalid value: [\"10.96.0.7\"]")
                .hasMessageContaining("provided IP is already allocated");

        ObjectNode free = json("{'metadata':{'name':'x'},'spec':{'clusterIP':'10.96.0.8'}}");
        Finish first = hooks.beginCreate(context, free.deepCopy());
        assertThatThrownBy(() -> hooks.beginCreate(context, free.deepCopy())).isInstanceOf(ApiException.class);
        first.finish(false);
        hooks.beginCreate(context, free.deepCopy()).finish(true);
        assertThatThrownBy(() -> hooks.beginCreate(context, free.deepCopy())).isInstanceOf(ApiException.class);
    }

    @Test
    void update_takes_and_gives_back_only_what_changes() {
        var context = RequestContext.internal("n", TestingKind.NOW);
        var hooks = services.definition().hooks();
        ObjectNode service = services.created("{'spec':{'type':'NodePort','ports':[{'port':80}]}}");
        ObjectNode replaced = json("{'metadata':{'name':'x'},'spec':{'type':'NodePort','ports':[{'port':80}]}}");
        services.definition().defaults().accept(replaced);
        hooks.beginUpdate(context, replaced, service).finish(true);
        assertThat(replaced.at("/spec/clusterIP")).isEqualTo(service.at("/spec/clusterIP"));
        assertThat(replaced.at("/spec/ports/0/nodePort")).isEqualTo(service.at("/spec/ports/0/nodePort"));

        ObjectNode external = json("{'metadata':{'name':'x'},'spec':{'type':'ExternalName','externalName':'a.b'}}");
        hooks.beginUpdate(context, external, service).finish(true);
        hooks.beginCreate(context, service.deepCopy()).finish(true);
    }

    @Test
    void headless_service_by_its_list_of_addresses_takes_none() {
        ObjectNode service = services.created("{'spec':{'clusterIPs':['None'],'selector':{'a':'b'}}}");
        assertThat(spec(service).get("clusterIP").asText()).isEqualTo("None");
        assertThat(spec(service).get("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
    }

    @Test
    void no_address_is_given_twice() {
        var hooks = Services.definition(new ServiceAllocator(List::of)).hooks();
        var context = RequestContext.internal("n", TestingKind.NOW);
        var addresses = new HashSet<String>();
        for (int i = 0; i < 1000; i++) {
            ObjectNode service = json("{'spec':{'type':'ClusterIP'}}");
            hooks.beginCreate(context, service).finish(true);
            addresses.add(service.at("/spec/clusterIP").asText());
        }
        assertThat(addresses).hasSize(1000).allMatch(address -> address.startsWith("10.96."));
    }
}
