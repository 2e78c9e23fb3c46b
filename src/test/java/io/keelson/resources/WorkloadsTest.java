package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static io.keelson.resources.TestingKind.specWithout;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.RequestContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {
    private static final String TEMPLATE =
            "'template':{'metadata':{'labels':{'app':'a'}},'spec':{'containers':[{'name':'c','image':'nginx:1.27'}]}}";
    private static final String SELECTOR = "'selector':{'matchLabels':{'app':'a'}},";

    private final TestingKind deployments = TestingKind.of("Deployment");
    private final TestingKind daemonSets = TestingKind.of("DaemonSet");
    private final TestingKind statefulSets = TestingKind.of("StatefulSet");

    private static String spec(String more) {
        return "{'spec':{" + SELECTOR + more + TEMPLATE + "}}";
    }

    private static ObjectNode spec(ObjectNode object) {
        return (ObjectNode) object.get("spec");
    }

    @Test
    void smallest_deployment_is_filled_in() {
        ObjectNode deployment = deployments.created(spec(""));
        assertThat(specWithout(deployment, "template", "selector")).isEqualTo(json("""
                                {'progressDeadlineSeconds':600,'replicas':1,'revisionHistoryLimit':10,
                                'strategy':{'rollingUpdate':{'maxSurge':'25%','maxUnavailable':'25%'},
                                'type':'RollingUpdate'}}"""));
        assertThat(deployment.at("/spec/template/spec")).isEqualTo(json("""
                                {'containers':[{'image':'nginx:1.27','imagePullPolicy':'IfNotPresent','name':'c',
                                'resources':{},'terminationMessagePath':'/dev/termination-log',
                                'terminationMessagePolicy':'File'}],'dnsPolicy':'ClusterFirst','restartPolicy':'Always',
                                'schedulerName':'default-scheduler','securityContext':{},
                                'terminationGracePeriodSeconds':30}"""));
        assertThat(deployment.get("status")).isEqualTo(json("{}"));
        assertThat(deployments.cells(deployment))
                .containsExactly("x", "0/1", 0L, 0L, "60s", "c", "nginx:1.27", "app=a");
    }

    @Test
    void empty_fields_of_client_serializers_say_nothing() {
        ObjectNode deployment = deployments.created(
                "{'metadata':{'creationTimestamp':null},'spec':{" + SELECTOR
                        + "'strategy':{},'template':{'metadata':{'creationTimestamp':null,'labels':{'app':'a'}},"
                        + "'spec':{'containers':[{'name':'c','image':'i','resources':{},'env':[],'args':null}]}}},'status':{}}");
        assertThat(deployment.at("/spec/template/metadata")).isEqualTo(json("{'labels':{'app':'a'}}"));
        assertThat(deployment.at("/spec/template/spec/containers/0").has("env")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"})
    void selector_is_required_meets_the_template_and_stays(String kind) {
        var workloads = TestingKind.of(kind);
        String mismatch =
                "spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`";
        assertThat(workloads.faults("{'spec':{" + TEMPLATE + "}}"))
                .containsExactly("spec.selector: Required value", mismatch);
        assertThat(workloads.faults("{'spec':{'selector':{'matchLabels':{'app':'other'}}," + TEMPLATE + "}}"))
                .containsExactly(mismatch);
        assertThat(workloads.faults("{'spec':{'selector':{}," + TEMPLATE + "}}"))
                .singleElement()
                .asString()
                .startsWith("spec.selector: Invalid value: {}: empty selector is invalid for");
        ObjectNode old = workloads.created(spec(""));
        assertThat(workloads.updateFaults(old, one -> {
                    spec(one).set("selector", json("{'matchLabels':{'app':'b'}}"));
                    ((ObjectNode) one.at("/spec/template/metadata")).set("labels", json("{'app':'b'}"));
                }))
                .singleElement()
                .asString()
                .startsWith(
                        kind.equals("StatefulSet")
                                ? "spec: Forbidden: updates to statefulset spec for fields other than"
                                : "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"b\"}}: field is immutable");
    }

    @Test
    void numbers_and_strategies_are_checked() {
        assertThat(deployments.faults(spec("'replicas':-1,")))
                .containsExactly("spec.replicas: Invalid value: -1: must be greater than or equal to 0");
        assertThat(deployments.faults(spec("'strategy':{'type':'Recreate','rollingUpdate':{}},")))
                .containsExactly(
                        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'");
        assertThat(deployments.faults(spec("'strategy':{'rollingUpdate':{'maxSurge':0,'maxUnavailable':'0%'}},")))
                .containsExactly("spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0%\": may not be 0 when"
                        + " `maxSurge` is 0");
        assertThat(deployments.faults("{'spec':{" + SELECTOR
                        + TEMPLATE.replace("'spec':{", "'spec':{'restartPolicy':'Never',") + "}}"))
                .containsExactly(
                        "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: \"Always\"");
        assertThat(deployments.faults(
                        "{'spec':{" + SELECTOR + TEMPLATE.replace("'image':'nginx:1.27'", "'image':''") + "}}"))
                .containsExactly("spec.template.spec.containers[0].image: Required value");
    }

    @Test
    void deployment_counts_changes_of_spec_and_annotations() {
        ObjectNode deployment = deployments.created(spec(""));
        assertThat(generation(deployments.updated(deployment, one -> spec(one).put("replicas", 3))))
                .isEqualTo(2);
        assertThat(generation(deployments.updated(
                        deployment,
                        one -> ((ObjectNode) one.get("metadata"))
                                .putObject("annotations")
                                .put("a", "b"))))
                .isEqualTo(2);
        assertThat(generation(deployments.updated(
                        deployment,
                        one -> ((ObjectNode) one.get("metadata"))
                                .putObject("labels")
                                .put("a", "b"))))
                .isEqualTo(1);
        assertThat(generation(deployments.updated(
                        deployment, one -> one.putObject("status").put("replicas", 3))))
                .isEqualTo(1);
    }

    private static int generation(ObjectNode object) {
        return object.at("/metadata/generation").asInt();
    }

    @Test
    void pods_of_a_stateful_set_mount_the_volumes_of_its_claims() {
        String template = TEMPLATE.replace(
                "'image':'nginx:1.27'", "'image':'nginx:1.27','volumeMounts':[{'name':'data','mountPath':'/data'}]");
        String spec = "{'spec':{'serviceName':'s'," + SELECTOR + template;
        String claim = ",'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],"
                + "'resources':{'requests':{'storage':'1Gi'}}}}]";
        var sets = TestingKind.of("StatefulSet");
        assertThat(sets.faults(spec + claim + "}}")).isEmpty();
        assertThat(sets.faults(spec + "}}"))
                .containsExactly("spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"data\"");
    }

    @Test
    void status_counters_are_checked() {
        ObjectNode deployment = deployments.created(spec(""));
        ObjectNode changed = deployment.deepCopy();
        changed.set("status", json("{'replicas':4,'availableReplicas':2}"));
        var context = RequestContext.internal("n", TestingKind.NOW);
        assertThat(deployments.definition().strategy().validateStatusUpdate(context, changed, deployment))
                .singleElement()
                .satisfies(error -> assertThat(error.text())
                        .isEqualTo("status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas"));
    }

    @Test
    void replica_set_is_filled_in() {
        var kind = TestingKind.of("ReplicaSet");
        ObjectNode set = kind.created(spec(""));
        assertThat(set.get("status")).isEqualTo(json("{'replicas':0}"));
        assertThat(kind.cells(set)).containsExactly("x", 1L, 0L, 0L, "60s", "c", "nginx:1.27", "app=a");
    }

    @Test
    void stateful_set_is_filled_in() {
        ObjectNode set = statefulSets.created(spec("'serviceName':'s',"));
        assertThat(specWithout(set, "template", "selector")).isEqualTo(json("""
                                {'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Retain','whenScaled':'Retain'},
                                'podManagementPolicy':'OrderedReady','replicas':1,'revisionHistoryLimit':10,
                                'serviceName':'s','updateStrategy':{'rollingUpdate':{'partition':0},
                                'type':'RollingUpdate'}}"""));
        assertThat(set.get("status")).isEqualTo(json("{'availableReplicas':0,'replicas':0}"));
        assertThat(statefulSets.cells(set)).containsExactly("x", "0/1", "60s", "c", "nginx:1.27");
        assertThat(statefulSets.updateFaults(set, one -> spec(one).put("replicas", 3)))
                .isEmpty();
        assertThat(statefulSets.updateFaults(set, one -> spec(one).put("serviceName", "t")))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: updates to statefulset spec for fields other than 'replicas'");
    }

    @Test
    void daemon_set_is_filled_in_and_counts_its_templates() {
        ObjectNode set = daemonSets.created(spec(""));
        assertThat(specWithout(set, "template", "selector")).isEqualTo(json("""
                                {'revisionHistoryLimit':10,'updateStrategy':{'rollingUpdate':
                                {'maxSurge':0,'maxUnavailable':1},'type':'RollingUpdate'}}"""));
        assertThat(templateGeneration(set)).isEqualTo("1");
        assertThat(daemonSets.cells(set))
                .containsExactly("x", 0L, 0L, 0L, 0L, 0L, "<none>", "60s", "c", "nginx:1.27", "app=a");
        ObjectNode next = daemonSets.updated(
                set, one -> ((ObjectNode) one.at("/spec/template/spec/containers/0")).put("image", "b"));
        assertThat(templateGeneration(next)).isEqualTo("2");
        assertThat(generation(next)).isEqualTo(2);
        assertThat(templateGeneration(daemonSets.updated(set, one -> spec(one).put("minReadySeconds", 3))))
                .isEqualTo("1");
    }

    private static String templateGeneration(ObjectNode set) {
        return set.at("/metadata/annotations/deprecated.daemonset.template.generation")
                .asText();
    }

    @Test
    void controller_revision_keeps_its_data() {
        var kind = TestingKind.of("ControllerRevision");
        ObjectNode revision = kind.created("{'data':{'a':null,'labels':{}},'revision':3}");
        assertThat(revision.get("data")).isEqualTo(json("{'a':null,'labels':{}}"));
        assertThat(kind.cells(revision)).containsExactly("x", "<none>", 3L, "60s");
        assertThat(kind.updateFaults(revision, one -> one.putObject("data")))
                .containsExactly("data: Invalid value: {}: field is immutable");
    }
}
