package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodsTest {
    private static final String SMALLEST = "{'spec':{'containers':[{'name':'c','image':'nginx'}]}}";

    private final TestingKind pods = TestingKind.of("Pod");

    private static String container(String fields) {
        return "{'spec':{'containers':[{'name':'c','image':'nginx'," + fields + "}]}}";
    }

    private static ObjectNode firstContainer(ObjectNode pod) {
        return (ObjectNode) pod.at("/spec/containers/0");
    }

    @Test
    void smallest_pod_is_filled_in() {
        ObjectNode pod = pods.created(SMALLEST);
        assertThat(pod.get("spec")).isEqualTo(json("""
                                {'containers':[{'image':'nginx','imagePullPolicy':'Always','name':'c','resources':{},
                                 'terminationMessagePath':'/dev/termination-log','terminationMessagePolicy':'File'}],
                                 'dnsPolicy':'ClusterFirst','enableServiceLinks':true,
                                 'preemptionPolicy':'PreemptLowerPriority','priority':0,'restartPolicy':'Always',
                                 'schedulerName':'default-scheduler','securityContext':{},
                                 'terminationGracePeriodSeconds':30,'tolerations':[
                                 {'effect':'NoExecute','key':'node.kubernetes.io/not-ready','operator':'Exists',
                                  'tolerationSeconds':300},
                                 {'effect':'NoExecute','key':'node.kubernetes.io/unreachable','operator':'Exists',
                                  'tolerationSeconds':300}]}"""));
        assertThat(pod.get("status")).isEqualTo(json("{'phase':'Pending','qosClass':'BestEffort'}"));
        assertThat(pod.at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(pods.cells(pod))
                .containsExactly("x", "0/1", "Pending", "0", "60s", "<none>", "<none>", "<none>", "<none>");
    }

    @Test
    void containers_and_volumes_are_filled_in() {
        ObjectNode pod = pods.created("""
                {'spec':{'serviceAccountName':'a','volumes':[{'name':'e'},{'name':'s','secret':{'secretName':'x'}}],
                'containers':[{'name':'c','image':'nginx:1','ports':[{'containerPort':80}],
                'env':[{'name':'F','valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}],
                'livenessProbe':{'httpGet':{'port':80}},'resources':{'limits':{'cpu':0.5,'memory':'1024Mi'}}}]}}""");
        ObjectNode container = firstContainer(pod);
        assertThat(container.get("imagePullPolicy").asText()).isEqualTo("IfNotPresent");
        assertThat(container.at("/ports/0/protocol").asText()).isEqualTo("TCP");
        assertThat(container.at("/env/0/valueFrom/fieldRef/apiVersion").asText())
                .isEqualTo("v1");
        assertThat(container.get("livenessProbe")).isEqualTo(json("""
                                {'httpGet':{'port':80,'path':'/','scheme':'HTTP'},'timeoutSeconds':1,'periodSeconds':10,
                                'successThreshold':1,'failureThreshold':3}"""));
        assertThat(container.get("resources"))
                .isEqualTo(json("{'limits':{'cpu':'500m','memory':'1Gi'},'requests':{'cpu':'500m','memory':'1Gi'}}"));
        assertThat(pod.at("/spec/volumes/0/emptyDir").isObject()).isTrue();
        assertThat(pod.at("/spec/volumes/1/secret/defaultMode").asInt()).isEqualTo(420);
        assertThat(pod.at("/spec/serviceAccount").asText()).isEqualTo("a");
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
    }

    @ParameterizedTest
    @CsvSource({
        "nginx,Always",
        "nginx:latest,Always",
        "nginx:1.27,IfNotPresent",
        "host:5000/nginx,Always",
        "nginx@sha256:0123,IfNotPresent"
    })
    void pull_policy_follows_the_tag(String image, String policy) {
        ObjectNode pod = pods.created("{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}");
        assertThat(firstContainer(pod).get("imagePullPolicy").asText()).isEqualTo(policy);
    }

    @Test
    void quantity_that_is_none_cannot_be_handled() {
        assertThatThrownBy(() -> pods.prepared(container("'resources':{'limits':{'cpu':'much'}}")))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("Pod in version \"v1\" cannot be handled as a Pod: quantities must match");
    }

    @Test
    void containers_are_required() {
        assertThat(pods.faults("{'spec':{}}")).containsExactly("spec.containers: Required value");
    }

    @Test
    void bad_container_is_refused_field_by_field() {
        assertThat(pods.faults("""
                        {'spec':{'containers':[{'name':'Bad_Name','image':'','ports':[{'containerPort':70000}],
                        'env':[{'value':'x'}],'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}}]}}"""))
                .satisfiesExactly(
                        name -> assertThat(name)
                                .startsWith("spec.containers[0].name: Invalid value: \"Bad_Name\": a low"),
                        image -> assertThat(image).isEqualTo("spec.containers[0].image: Required value"),
                        port -> assertThat(port)
                                .isEqualTo("spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be"
                                        + " between 1 and 65535, inclusive"),
                        env -> assertThat(env).isEqualTo("spec.containers[0].env[0].name: Required value"),
                        request -> assertThat(request)
                                .isEqualTo("spec.containers[0].resources.requests: Invalid value: \"2\": must be less"
                                        + " than or equal to cpu limit of 1"));
    }

    @Test
    void names_policies_and_mounts_are_checked() {
        assertThat(pods.faults("{'spec':{'containers':[{'name':'c','image':'a'},{'name':'c','image':'b'}]}}"))
                .containsExactly("spec.containers[1].name: Duplicate value: \"c\"");
        assertThat(pods.faults(container("'volumeMounts':[{'name':'nope','mountPath':'/m'}]")))
                .containsExactly("spec.containers[0].volumeMounts[0].name: Not found: \"nope\"");
        assertThat(pods.faults("{'spec':{'restartPolicy':'Sometimes','containers':[{'name':'c','image':'a'}]}}"))
                .singleElement()
                .asString()
                .startsWith("spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\"");
        assertThat(pods.faults("{'spec':{'volumes':[{'name':'v','emptyDir':{},'secret':{}}],"
                        + "'containers':[{'name':'c','image':'a'}]}}"))
                .containsExactly(
                        "spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type",
                        "spec.volumes[0].secret.secretName: Required value");
        assertThat(pods.faults(container("'livenessProbe':{}")))
                .containsExactly("spec.containers[0].livenessProbe: Required value: must specify a handler type");
    }

    @Test
    void image_may_change_and_counts_a_generation() {
        ObjectNode pod = pods.created(SMALLEST);
        assertThat(pods.updateFaults(pod, one -> firstContainer(one).put("image", "nginx:2")))
                .isEmpty();
        assertThat(pods.updated(pod, one -> firstContainer(one).put("image", "nginx:2"))
                        .at("/metadata/generation")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void other_fields_may_not_change() {
        ObjectNode pod = pods.created(SMALLEST);
        assertThat(pods.updateFaults(pod, one -> ((ObjectNode) one.get("spec")).put("hostname", "h")))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`")
                .endsWith("changed: hostname");
        assertThat(pods.updateFaults(pod, one -> ((ObjectNode) one.get("spec")).remove("tolerations")))
                .containsExactly(
                        "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds");
    }

    @Test
    void status_is_kept_from_clients() {
        ObjectNode pod =
                pods.created("{'status':{'phase':'Running'},'spec':{'containers':[{'name':'c','image':'a'}]}}");
        assertThat(pod.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(pods.updated(pod, one -> one.set("status", json("{'phase':'Failed'}")))
                        .at("/status/phase")
                        .asText())
                .isEqualTo("Pending");
    }

    @Test
    void grace_period_is_that_of_a_pod_which_runs_somewhere() {
        var strategy = pods.definition().strategy();
        ObjectNode pod = pods.created(SMALLEST);
        assertThat(strategy.gracePeriodSeconds(pod, null)).isZero();
        assertThat(strategy.gracePeriodSeconds(pod, 9L)).isZero();
        ((ObjectNode) pod.get("spec")).put("nodeName", "n1");
        assertThat(strategy.gracePeriodSeconds(pod, null)).isEqualTo(30);
        assertThat(strategy.gracePeriodSeconds(pod, 5L)).isEqualTo(5);
        assertThat(strategy.gracePeriodSeconds(pod, -1L)).isEqualTo(1);
        ((ObjectNode) pod.get("status")).put("phase", "Succeeded");
        assertThat(strategy.gracePeriodSeconds(pod, null)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'phase':'Running','containerStatuses':[{'ready':true,'state':{'running':{}}}]} | 1/1 | Running | 0",
                "{'phase':'Running','containerStatuses':[{'restartCount':3,'state':{'waiting':{'reason':'CrashLoopBackOff'}},"
                        + "'lastState':{'terminated':{'finishedAt':'2026-01-01T00:00:30Z'}}}]}"
                        + " | 0/1 | CrashLoopBackOff | 3 (30s ago)",
                "{'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':7}}}]} | 0/1 | ExitCode:7 | 0",
                "{'phase':'Succeeded','containerStatuses':[{'state':{'terminated':{'reason':'Completed'}}}]}"
                        + " | 0/1 | Completed | 0",
                "{'phase':'Pending','initContainerStatuses':[{'name':'i','state':{'running':{}}}]} | 0/1 | Init:0/0 | 0",
                "{'phase':'Pending','initContainerStatuses':[{'name':'i','state':{'terminated':{'exitCode':1}}}]}"
                        + " | 0/1 | Init:ExitCode:1 | 0",
                "{'phase':'Failed','reason':'Evicted'} | 0/1 | Evicted | 0"
            })
    void table_sums_up_what_containers_do(String status, String ready, String word, String restarts) {
        ObjectNode pod = pods.created(SMALLEST);
        pod.set("status", json(status));
        assertThat(pods.cells(pod)).startsWith("x", ready, word, restarts, "60s");
    }

    @Test
    void deleted_pod_is_terminating() {
        ObjectNode pod = pods.created(SMALLEST);
        ((ObjectNode) pod.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        assertThat(pods.cells(pod)).contains("Terminating");
    }
}
