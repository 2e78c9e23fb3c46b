package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class VolumesAndNodesTest {
    private final TestingKind classes = TestingKind.of("StorageClass");

    @Test
    void a_storage_class_is_filled_in_and_stays() {
        ObjectNode one = classes.created("{'provisioner':'example.com/p','metadata':{'annotations':"
                + "{'storageclass.kubernetes.io/is-default-class':'true'}}}");
        assertThat(one.path("reclaimPolicy").asText()).isEqualTo("Delete");
        assertThat(one.path("volumeBindingMode").asText()).isEqualTo("Immediate");
        assertThat(classes.cells(one))
                .containsExactly("x (default)", "example.com/p", "Delete", "Immediate", false, "60s");
        assertThat(classes.updateFaults(
                        one, it -> it.put("provisioner", "q").put("volumeBindingMode", "WaitForFirstConsumer")))
                .containsExactly(
                        "provisioner: Forbidden: updates to provisioner are forbidden.",
                        "volumeBindingMode: Invalid value: \"WaitForFirstConsumer\": field is immutable");
        assertThat(classes.faults("{}")).containsExactly("provisioner: Required value");
    }

    @Test
    void a_driver_is_filled_in() {
        TestingKind drivers = TestingKind.of("CSIDriver");
        ObjectNode driver = drivers.created("{'spec':{'tokenRequests':[{'audience':'a'},{'audience':'b'}]}}");
        assertThat(driver.path("spec")).isEqualTo(json("""
                {'attachRequired':true,'fsGroupPolicy':'ReadWriteOnceWithFSType','podInfoOnMount':false,
                'requiresRepublish':false,'seLinuxMount':false,'storageCapacity':false,
                'volumeLifecycleModes':['Persistent'],'tokenRequests':[{'audience':'a'},{'audience':'b'}]}"""));
        assertThat(drivers.cells(driver)).containsExactly("x", true, false, false, "a,b", false, "Persistent", "60s");
        assertThat(drivers.faults("{'spec':{'fsGroupPolicy':'Some'}}")).hasSize(1);
    }

    @Test
    void what_attaches_and_measures_volumes_is_judged() {
        TestingKind attachments = TestingKind.of("VolumeAttachment");
        ObjectNode one =
                attachments.created("{'spec':{'attacher':'d','nodeName':'n','source':{'persistentVolumeName':'pv'}}}");
        assertThat(one.path("status")).isEqualTo(json("{'attached':false}"));
        assertThat(attachments.cells(one)).containsExactly("x", "d", "pv", "n", false, "60s");
        assertThat(attachments.faults("{}")).hasSize(3);
        TestingKind nodes = TestingKind.of("CSINode");
        assertThat(nodes.cells(nodes.created("{'spec':{'drivers':[{'name':'d','nodeID':'1'}]}}")))
                .containsExactly("x", 1, "60s");
        assertThat(nodes.prepared("{}").at("/spec/drivers").isNull()).isTrue();
        TestingKind capacities = TestingKind.of("CSIStorageCapacity");
        assertThat(capacities.cells(capacities.created("{'storageClassName':'fast','capacity':'1024Mi'}")))
                .containsExactly("x", "fast", "1Gi");
        TestingKind attributes = TestingKind.of("VolumeAttributesClass");
        assertThat(attributes.faults("{'driverName':'d'}")).hasSize(1);
        assertThat(attributes.cells(attributes.created("{'driverName':'d','parameters':{'iops':'1'}}")))
                .containsExactly("x", "d", "60s");
    }

    @Test
    void a_runtime_class_keeps_its_handler() {
        TestingKind runtimes = TestingKind.of("RuntimeClass");
        ObjectNode one = runtimes.created("{'handler':'runsc','overhead':{'podFixed':{'cpu':'0.25'}}}");
        assertThat(one.at("/overhead/podFixed/cpu").asText()).isEqualTo("250m");
        assertThat(runtimes.updateFaults(one, it -> it.put("handler", "kata"))).hasSize(1);
    }

    @Test
    void a_slice_is_filled_in_and_its_addresses_are_of_its_type() {
        TestingKind slices = TestingKind.of("EndpointSlice");
        ObjectNode slice =
                slices.created("{'addressType':'IPv4','endpoints':[{'addresses':['10.1.1.1']}],'ports':[{'port':80}]}");
        assertThat(slice.at("/endpoints/0/conditions")).isEqualTo(json("{}"));
        assertThat(slice.at("/ports/0")).isEqualTo(json("{'name':'','port':80,'protocol':'TCP'}"));
        assertThat(slices.cells(slice)).containsExactly("x", "IPv4", "80", "10.1.1.1", "60s");
        ObjectNode changed = slices.updated(
                slice,
                it -> ((ObjectNode) it.get("metadata")).putObject("labels").put("a", "b"));
        assertThat(changed.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(slices.faults("{'addressType':'IPv6','endpoints':[{'addresses':['10.1.1.1']},{}]}"))
                .hasSize(2);
        assertThat(slices.faults("{'addressType':'FQDN','endpoints':[{'addresses':['a.example.com']}],"
                        + "'ports':[{'port':1},{'port':2}]}"))
                .containsExactly("ports[1].name: Duplicate value: \"\"");
        assertThat(slices.cells(slices.created("{'addressType':'IPv4'}")))
                .containsExactly("x", "IPv4", "<unset>", "<unset>", "60s");
    }
}
