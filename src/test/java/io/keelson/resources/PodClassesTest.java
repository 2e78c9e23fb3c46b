package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.registry.Admission;
import io.keelson.registry.TestingRegistry;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PodClassesTest {
    private final TestingRegistry registry = new TestingRegistry(BuiltinResources.all(), Admission.ALL, false);
    private final PodClasses classes = new PodClasses(
            Admission.ALL, () -> registry.store("priorityclasses"), () -> registry.store("runtimeclasses"));
    private final TestingKind pods = TestingKind.of("Pod");

    @AfterEach
    void close() {
        registry.close();
    }

    private ObjectNode admit(String spec) {
        ObjectNode pod = pods.created("{'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}");
        classes.admitCreate(TestingRegistry.in("n"), pods.definition(), pod);
        return (ObjectNode) pod.get("spec");
    }

    private void refused(String spec, String why) {
        assertThatThrownBy(() -> admit(spec))
                .isInstanceOf(ApiException.class)
                .hasMessage("pods \"x\" is forbidden: " + why);
    }

    @Test
    void a_pod_has_the_priority_of_its_class() {
        registry.create("priorityclasses", "", "{'metadata':{'name':'high'},'value':7,'preemptionPolicy':'Never'}");
        ObjectNode spec = admit(",'priorityClassName':'high'");
        assertThat(spec.path("priority").asLong()).isEqualTo(7);
        assertThat(spec.path("preemptionPolicy").asText()).isEqualTo("Never");
        assertThat(admit("").path("priority").asLong()).isZero();
        refused(",'priorityClassName':'none'", "no PriorityClass with name none was found");
        refused(
                ",'priority':5",
                "the integer value of priority (5) must not be provided in pod spec; priority admission controller"
                        + " computed 0 from the given PriorityClass name");
    }

    @Test
    void the_default_class_is_that_of_the_lowest_priority() {
        registry.create("priorityclasses", "", "{'metadata':{'name':'a'},'value':7,'globalDefault':true}");
        registry.create("priorityclasses", "", "{'metadata':{'name':'b'},'value':3,'globalDefault':true}");
        ObjectNode spec = admit("");
        assertThat(spec.path("priorityClassName").asText()).isEqualTo("b");
        assertThat(spec.path("priority").asLong()).isEqualTo(3);
    }

    @Test
    void a_pod_runs_where_and_as_its_runtime_class_says() {
        registry.create(
                "runtimeclasses",
                "",
                "{'metadata':{'name':'r'},'handler':'h','overhead':{'podFixed':{'cpu':'1'}},'scheduling':"
                        + "{'nodeSelector':{'a':'b'},'tolerations':[{'key':'k','operator':'Exists'}]}}");
        ObjectNode spec = admit(",'runtimeClassName':'r'");
        assertThat(spec.path("overhead")).isEqualTo(json("{'cpu':'1'}"));
        assertThat(spec.path("nodeSelector")).isEqualTo(json("{'a':'b'}"));
        assertThat(StreamSupport.stream(spec.path("tolerations").spliterator(), false)
                        .map(one -> one.path("key").asText()))
                .containsAll(List.of("k"));
        refused(",'runtimeClassName':'none'", "pod rejected: RuntimeClass \"none\" not found");
        refused(
                ",'overhead':{'cpu':'1'}",
                "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        refused(
                ",'runtimeClassName':'r','nodeSelector':{'a':'c'}",
                "pod rejected: conflict: runtimeClass.scheduling.nodeSelector[a] = b, pod.spec.nodeSelector[a] = c");
    }
}
