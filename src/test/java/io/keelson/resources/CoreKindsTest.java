package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.PropagationPolicy;
import org.junit.jupiter.api.Test;

class CoreKindsTest {
    private final TestingKind maps = TestingKind.of("ConfigMap");
    private final TestingKind secrets = TestingKind.of("Secret");
    private final TestingKind namespaces = TestingKind.of("Namespace");
    private final TestingKind nodes = TestingKind.of("Node");
    private final TestingKind events = TestingKind.of("Event");
    private final TestingKind claims = TestingKind.of("PersistentVolumeClaim");
    private final TestingKind volumes = TestingKind.of("PersistentVolume");

    @Test
    void config_map_keys_size_and_immutability_are_checked() {
        assertThat(maps.cells(maps.created("{'data':{'a':'1'},'binaryData':{'b':'AA=='}}")))
                .containsExactly("x", 2, "60s");
        assertThat(maps.faults("{'data':{'bad key!':'v'}}"))
                .singleElement()
                .asString()
                .startsWith("data[bad key!]: Invalid value: \"bad key!\": a valid config key must consist of");
        assertThat(maps.faults("{'data':{'a':'" + "x".repeat(1024 * 1024 + 1) + "'}}"))
                .containsExactly(": Too long: may not be more than 1048576 bytes");
        ObjectNode fixed = maps.created("{'immutable':true,'data':{'a':'1'}}");
        assertThat(maps.updateFaults(fixed, map -> map.putObject("data").put("a", "2")))
                .containsExactly("data: Forbidden: field is immutable when `immutable` is set");
        assertThat(maps.updateFaults(fixed, map -> map.put("immutable", false)))
                .containsExactly("immutable: Forbidden: field is immutable when `immutable` is set");
    }

    @Test
    void secret_takes_texts_as_data() {
        ObjectNode secret = secrets.created("{'stringData':{'a':'b'},'data':{'a':'eA==','c':'ZA=='}}");
        assertThat(secret.get("data")).isEqualTo(json("{'a':'Yg==','c':'ZA=='}"));
        assertThat(secret.has("stringData")).isFalse();
        assertThat(secrets.cells(secret)).containsExactly("x", "Opaque", 2, "60s");
    }

    @Test
    void secret_keeps_its_type_and_types_have_keys() {
        ObjectNode secret = secrets.created("{'immutable':true}");
        assertThat(secrets.updateFaults(secret, one -> one.putObject("data").put("a", "Yg==")))
                .containsExactly("data: Forbidden: field is immutable when `immutable` is set");
        assertThat(secrets.updateFaults(secret, one -> one.put("type", "other")))
                .containsExactly("type: Invalid value: \"other\": field is immutable");
        assertThat(secrets.faults("{'type':'kubernetes.io/tls','data':{'tls.crt':''}}"))
                .containsExactly("data[tls.key]: Required value");
        assertThat(secrets.faults("{'type':'kubernetes.io/dockerconfigjson','data':{'.dockerconfigjson':'eA=='}}"))
                .containsExactly(
                        "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": must be valid JSON");
    }

    @Test
    void namespace_is_labelled_held_and_terminated() {
        ObjectNode namespace = namespaces.created("{}");
        assertThat(namespace.at("/metadata/labels")).isEqualTo(json("{'kubernetes.io/metadata.name':'x'}"));
        assertThat(namespace.at("/spec")).isEqualTo(json("{'finalizers':['kubernetes']}"));
        assertThat(namespaces.cells(namespace)).containsExactly("x", "Active", "60s");
        var strategy = namespaces.definition().strategy();
        assertThat(strategy.holdsDeletion(namespace)).isTrue();
        strategy.prepareForDelete(namespace);
        assertThat(namespace.at("/status/phase").asText()).isEqualTo("Terminating");
        assertThat(namespaces
                        .updated(namespace, one -> one.putObject("spec"))
                        .at("/spec/finalizers/0")
                        .asText())
                .isEqualTo("kubernetes");
        assertThat(namespaces.definition().nameRule().apply("a.b")).containsExactly("must not contain dots");
    }

    @Test
    void node_is_tainted_and_keeps_the_status_it_brings() {
        ObjectNode node = nodes.created("{'status':{'nodeInfo':{'kubeletVersion':'v1.36.0'}}}");
        assertThat(node.at("/spec/taints/0"))
                .isEqualTo(json("{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}"));
        assertThat(node.at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt(-1))
                .isZero();
        assertThat(node.at("/status/nodeInfo/kernelVersion").isTextual()).isTrue();
        assertThat(nodes.cells(node))
                .containsExactly(
                        "x",
                        "Unknown",
                        "<none>",
                        "60s",
                        "v1.36.0",
                        "<none>",
                        "<none>",
                        "<unknown>",
                        "<unknown>",
                        "<unknown>");
        node.set("status", json("{'conditions':[{'type':'Ready','status':'True'}]}"));
        ((ObjectNode) node.get("spec")).put("unschedulable", true);
        ((ObjectNode) node.get("metadata")).set("labels", json("{'node-role.kubernetes.io/worker':''}"));
        assertThat(nodes.cells(node)).startsWith("x", "Ready,SchedulingDisabled", "worker");
    }

    @Test
    void event_lives_where_its_object_does() {
        assertThat(events.faults("{'involvedObject':{'kind':'Pod','name':'p'}}"))
                .containsExactly("involvedObject.namespace: Invalid value: \"\": does not match event.namespace");
        ObjectNode event = events.created("""
                {'involvedObject':{'kind':'Pod','name':'p','namespace':'n'},'reason':'Started','message':'m','type':'Normal',
                'lastTimestamp':'2026-01-01T00:00:50Z','source':{'component':'c','host':'h'}}""");
        assertThat(event.get("firstTimestamp").isNull()).isTrue();
        assertThat(events.cells(event))
                .containsExactly("10s", "Normal", "Started", "pod/p", "", "c, h", "m", "<unknown>", 1L, "x");
        assertThat(events.definition().ttlSeconds().applyAsLong(event)).isEqualTo(3600);
    }

    @Test
    void endpoints_show_their_first_addresses() {
        var kind = TestingKind.of("Endpoints");
        ObjectNode endpoints = kind.created("""
                {'subsets':[{'addresses':[{'ip':'10.1.1.1'},{'ip':'10.1.1.2'},{'ip':'10.1.1.3'},{'ip':'10.1.1.4'}],
                'ports':[{'port':80}]}]}""");
        assertThat(endpoints.at("/subsets/0/ports/0/protocol").asText()).isEqualTo("TCP");
        assertThat(kind.cells(endpoints))
                .containsExactly("x", "10.1.1.1:80,10.1.1.2:80,10.1.1.3:80 + 1 more...", "60s");
        assertThat(kind.faults("{'subsets':[{'addresses':[{'ip':'10.1.1'}],'ports':[{'port':0}]}]}"))
                .hasSize(2)
                .last()
                .isEqualTo("subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive");
    }

    @Test
    void claim_is_protected_and_fixed() {
        ObjectNode claim = claims.created(
                "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1024Mi'}}}}");
        assertThat(claim.at("/metadata/finalizers/0").asText()).isEqualTo("kubernetes.io/pvc-protection");
        assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("1Gi");
        assertThat(claim.get("status")).isEqualTo(json("{'phase':'Pending'}"));
        assertThat(claims.cells(claim)).containsExactly("x", "Pending", "", "", "", "", "<unset>", "60s", "Filesystem");
        assertThat(claims.faults("{'spec':{'accessModes':[]}}"))
                .containsExactly(
                        "spec.accessModes: Required value: at least 1 access mode is required",
                        "spec.resources[storage]: Required value");
        assertThat(claims.updateFaults(
                        claim, one -> ((ObjectNode) one.at("/spec/resources/requests")).put("storage", "2Gi")))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: spec is immutable after creation except");
        ((ObjectNode) claim.get("status")).put("phase", "Bound");
        assertThat(claims.updateFaults(
                        claim, one -> ((ObjectNode) one.at("/spec/resources/requests")).put("storage", "2Gi")))
                .isEmpty();
        assertThat(claims.updateFaults(claim, one -> ((ObjectNode) one.get("spec")).put("volumeName", "v")))
                .isEmpty();
    }

    @Test
    void volume_has_one_source_for_ever() {
        ObjectNode volume = volumes.created(
                "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteMany','ReadWriteOnce'],'hostPath':{'path':'/p'}}}");
        assertThat(volume.get("status"))
                .isEqualTo(json("{'phase':'Pending','lastPhaseTransitionTime':'2026-01-01T00:01:00Z'}"));
        assertThat(volumes.cells(volume))
                .containsExactly(
                        "x", "1Gi", "RWO,RWX", "Retain", "Pending", "", "", "<unset>", "", "60s", "Filesystem");
        assertThat(volumes.faults("{'spec':{}}"))
                .containsExactly(
                        "spec.accessModes: Required value",
                        "spec.capacity: Required value",
                        "spec: Required value: must specify a volume type");
        assertThat(volumes.updateFaults(volume, one -> ((ObjectNode) one.at("/spec/hostPath")).put("path", "/q")))
                .containsExactly(
                        "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after"
                                + " creation");
    }

    @Test
    void replication_controller_takes_labels_from_its_template_and_orphans_its_pods() {
        var kind = TestingKind.of("ReplicationController");
        ObjectNode controller = kind.created("""
                {'spec':{'template':{'metadata':{'labels':{'app':'a'}},
                'spec':{'containers':[{'name':'c','image':'nginx:1.27'}]}}}}""");
        assertThat(controller.at("/spec/selector")).isEqualTo(json("{'app':'a'}"));
        assertThat(controller.at("/metadata/labels")).isEqualTo(json("{'app':'a'}"));
        assertThat(kind.cells(controller)).containsExactly("x", 1L, 0L, 0L, "60s", "c", "nginx:1.27", "app=a");
        assertThat(kind.definition().strategy().defaultPropagation()).isEqualTo(PropagationPolicy.ORPHAN);
    }

    @Test
    void limit_range_fills_in_requests() {
        var kind = TestingKind.of("LimitRange");
        ObjectNode range = kind.created("{'spec':{'limits':[{'type':'Container','default':{'cpu':'1'}}]}}");
        assertThat(range.at("/spec/limits/0/defaultRequest")).isEqualTo(json("{'cpu':'1'}"));
        assertThat(kind.columns()).containsExactly("Name", "Created At:date");
        assertThat(kind.cells(range)).containsExactly("x", "2026-01-01T00:00:00Z");
    }
}
