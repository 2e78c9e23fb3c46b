package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.apiregistration.ApiServices;
import io.keelson.resources.devices.DeviceKinds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiServicesAndDevicesTest {
    private final TestingKind services = new TestingKind(ApiServices.definition());
    private final TestingKind claims = new TestingKind(DeviceKinds.claims());
    private final TestingKind slices = new TestingKind(DeviceKinds.slices());

    private static String service(String group, String more) {
        return "{'metadata':{'name':'v1." + group + "'},'spec':{'group':'" + group
                + "','version':'v1','groupPriorityMinimum':100,'versionPriority':1" + more + "}}";
    }

    @Test
    void what_this_server_serves_is_available_and_what_others_would_is_not() {
        ObjectNode local = ApiServices.local("apps", "v1", ApiServices.ON_START, 100, 15);
        assertThat(services.faults(local.toString())).isEmpty();
        assertThat(services.cells(services.created(local.toString()))).contains("Local", "True");
        ObjectNode remote = services.created(service("x.io", ",'service':{'namespace':'n','name':'s'}"));
        assertThat(remote.at("/spec/service/port").asInt()).isEqualTo(443);
        assertThat(services.cells(remote)).contains("n/s", "False (NotProxied)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ,'caBundle':'YQ==' | spec.caBundle: Invalid value: "": local APIServices may not have a caBundle
            ,'service':{'name':'s'} | spec.service.namespace: Required value
            versionPriority=0 | spec.versionPriority: Invalid value: 0: must be positive and less than 1000
            version='v2' | metadata.name: Invalid value: "v1.x.io": must be `spec.version+"."+spec.group`: "v2.x.io"
            """)
    void refuses_services(String more, String fault) {
        String valid = service("x.io", "");
        String changed = more.startsWith(",")
                ? service("x.io", more)
                : valid.replaceAll("'" + more.split("=", 2)[0] + "':[^,}]+", "'" + more.replace("=", "':"));
        assertThat(services.faults(changed)).contains(fault);
    }

    @Test
    void a_claim_asks_for_one_device_unless_it_says_otherwise() {
        ObjectNode claim =
                claims.created("{'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]}}}");
        assertThat(claim.at("/spec/devices/requests/0/exactly"))
                .isEqualTo(json("{'deviceClassName':'c','allocationMode':'ExactCount','count':1}"));
        assertThat(claims.cells(claim)).contains("pending");
        assertThat(claims.faults(
                        "{'spec':{'devices':{'requests':[{'name':'r'},{'name':'r','exactly':{'count':-1}}]}}}"))
                .containsExactlyInAnyOrder(
                        "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is"
                                + " required",
                        "spec.devices.requests[1].name: Duplicate value: \"r\"",
                        "spec.devices.requests[1].exactly.deviceClassName: Required value",
                        "spec.devices.requests[1].exactly.count: Invalid value: -1: must be greater than zero");
    }

    @Test
    void a_slice_says_where_its_devices_are() {
        assertThat(slices.faults("{'spec':{'driver':'d.io','pool':{'name':'p','resourceSliceCount':1}}}"))
                .singleElement()
                .asString()
                .startsWith("spec: Required value: exactly one of `nodeName`");
        assertThat(slices.faults(
                        "{'spec':{'driver':'d.io','nodeName':'n','pool':{'name':'p','resourceSliceCount':1}}}"))
                .isEmpty();
    }
}
