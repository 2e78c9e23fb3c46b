package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import io.keelson.registry.StatusRest;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.pods.BindingRest;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do to pods by their subresources. */
class PodSubresourcesTest {
    private static final String BUDGETS = "poddisruptionbudgets";

    private final TestingRegistry registry = new TestingRegistry(BuiltinResources.all(), Admission.ALL, false);
    private final RegistryStore pods = registry.store("pods");
    private final Map<String, RestStorage> parts = BuiltinSubresources.of(pods, () -> registry.store(BUDGETS));

    @BeforeEach
    void createPod() {
        registry.create(
                "pods",
                "n",
                "{'metadata':{'name':'p','labels':{'app':'a'}},'spec':{'containers':[{'name':'c','image':'i'}]}}");
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private ObjectNode pod() {
        return registry.read("pods", "n", "p");
    }

    private void perform(String part, String object) {
        ((RestStorage.Performer) part(part)).perform(in("n"), "p", json(object));
    }

    private RestStorage part(String name) {
        RestStorage part = parts.get(name);
        if (part == null) {
            throw new AssertionError("pods have no " + name);
        }
        return part;
    }

    private void change(String part, Consumer<ObjectNode> change) {
        var _ = ((RestStorage.Updater) part(part)).update(in("n"), "p", TestingRegistry.changing(change));
    }

    private Status refusal(Runnable action) {
        return catchThrowableOfType(ApiException.class, action::run).status();
    }

    private void setStatus(String resource, String name, String status) {
        var _ = new StatusRest(registry.store(resource))
                .update(in("n"), name, TestingRegistry.changing(object -> object.set("status", json(status))));
    }

    // ---- binding

    @Test
    void a_binding_assigns_a_pod_to_a_node_once() {
        perform("binding", "{'metadata':{'name':'p','annotations':{'a':'b'}},'target':{'kind':'Node','name':'n1'}}");

        assertThat(pod().at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(pod().at("/metadata/annotations/a").asText()).isEqualTo("b");
        assertThat(pod().at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(pod().at("/status/conditions/0"))
                .isEqualTo(
                        json("{'lastTransitionTime':'2030-01-01T00:00:00Z','lastProbeTime':null,'type':'PodScheduled',"
                                + "'status':'True'}"));
        Status again = refusal(() -> perform("binding", "{'target':{'name':'n2'}}"));
        assertThat(again.reason()).isEqualTo(StatusReason.CONFLICT);
        assertThat(again.message())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node"
                        + " \"n1\"");
    }

    @Test
    void a_binding_of_the_collection_names_its_pod() {
        var bindings = new BindingRest(pods, BindingRest.bindings());
        bindings.perform(in("n"), "", json("{'metadata':{'name':'p'},'target':{'name':'n1'}}"));
        assertThat(pod().at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(refusal(() -> bindings.perform(in("n"), "", json("{'target':{'name':'n1'}}")))
                        .code())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'target':{'kind':'Pod','name':'n1'}} | 422
            {'target':{'kind':'Node'}} | 422
            {'metadata':{'name':'other'},'target':{'name':'n1'}} | 400
            {'metadata':{'namespace':'other'},'target':{'name':'n1'}} | 400
            {'metadata':{'uid':'other'},'target':{'name':'n1'}} | 409
            """)
    void refuses_bindings(String binding, int code) {
        assertThat(refusal(() -> perform("binding", binding)).code()).isEqualTo(code);
        assertThat(pod().at("/spec/nodeName").isMissingNode()).isTrue();
    }

    // ---- eviction

    private void run() {
        setStatus(
                "pods",
                "p",
                "{'phase':'Running','qosClass':'BestEffort','conditions':[{'type':'Ready','status':'True'}]}");
    }

    private void budget(String name, String status) {
        registry.create(
                BUDGETS,
                "n",
                "{'metadata':{'name':'" + name
                        + "'},'spec':{'selector':{'matchLabels':{'app':'a'}},'minAvailable':1}}");
        setStatus(BUDGETS, name, status);
    }

    private static String counted(int allowed) {
        return "{'observedGeneration':1,'disruptionsAllowed':" + allowed
                + ",'currentHealthy':1,'desiredHealthy':1,'expectedPods':1}";
    }

    private void assertGone() {
        assertThatThrownBy(this::pod).hasMessageContaining("not found");
    }

    @Test
    void evicts_where_no_budget_says_otherwise() {
        run();
        perform("eviction", "{'metadata':{'name':'p'},'deleteOptions':{'gracePeriodSeconds':0}}");
        assertGone();
        assertThat(refusal(() -> perform("eviction", "{}")).code()).isEqualTo(404);
    }

    @Test
    void evicts_pods_that_do_not_run_whatever_the_budget() {
        budget("b", counted(0));
        perform("eviction", "{}");
        assertGone();
    }

    @Test
    void takes_a_disruption_out_of_the_budget() {
        run();
        budget("b", counted(1));
        perform("eviction", "{}");
        assertGone();
        ObjectNode status = (ObjectNode) registry.read(BUDGETS, "n", "b").get("status");
        assertThat(status.path("disruptionsAllowed").asInt()).isZero();
        assertThat(status.path("disruptedPods").has("p")).isTrue();
    }

    @Test
    void refuses_what_the_budget_does_not_allow() {
        run();
        budget("b", counted(0));
        Status refused = refusal(() -> perform("eviction", "{}"));
        assertThat(refused.reason()).isEqualTo(StatusReason.TOO_MANY_REQUESTS);
        assertThat(refused.message()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(refused.details().causes().getFirst().reason()).isEqualTo("DisruptionBudget");
        assertThat(refused.details().causes().getFirst().message())
                .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
        assertThat(pod().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
    }

    @Test
    void asks_to_come_back_while_a_budget_is_not_counted() {
        run();
        budget("b", "{'disruptionsAllowed':5}");
        Status refused = refusal(() -> perform("eviction", "{}"));
        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.details().retryAfterSeconds()).isEqualTo(10);
    }

    @Test
    void refuses_to_choose_between_budgets() {
        run();
        budget("b", counted(1));
        budget("c", counted(1));
        assertThat(refusal(() -> perform("eviction", "{}")).code()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'deleteOptions':{'dryRun':['All']}}", "dry"})
    void a_dry_run_evicts_nothing(String eviction) {
        run();
        budget("b", counted(1));
        RequestContext context = eviction.equals("dry") ? TestingRegistry.dryRun("n") : in("n");
        ObjectNode object = eviction.equals("dry") ? json("{}") : json(eviction);
        ((RestStorage.Performer) part("eviction")).perform(context, "p", object);
        assertThat(pod().at("/status/conditions").toString()).doesNotContain("DisruptionTarget");
        assertThat(registry.read(BUDGETS, "n", "b")
                        .at("/status/disruptionsAllowed")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void honours_the_preconditions_of_an_eviction() {
        assertThat(refusal(() -> perform("eviction", "{'deleteOptions':{'preconditions':{'uid':'other'}}}"))
                        .code())
                .isEqualTo(409);
    }

    // ---- ephemeral containers and resources

    private static void addEphemeral(ObjectNode pod, String container) {
        ObjectNode spec = (ObjectNode) pod.get("spec");
        ArrayNode list = spec.get("ephemeralContainers") instanceof ArrayNode present
                ? present
                : spec.putArray("ephemeralContainers");
        list.add(json(container));
    }

    @Test
    void adds_ephemeral_containers_and_nothing_else() {
        change("ephemeralcontainers", pod -> {
            addEphemeral(pod, "{'name':'debug','image':'busybox','targetContainerName':'c'}");
            ((ObjectNode) pod.at("/spec/containers/0")).put("image", "other");
            ((ObjectNode) pod.get("metadata")).putObject("labels").put("x", "y");
        });

        assertThat(pod().at("/spec/ephemeralContainers/0/terminationMessagePath")
                        .asText())
                .isEqualTo("/dev/termination-log");
        assertThat(pod().at("/spec/containers/0/image").asText()).isEqualTo("i");
        assertThat(pod().at("/metadata/labels")).isEqualTo(json("{'app':'a'}"));
        assertThat(pod().at("/metadata/generation").asInt()).isEqualTo(2);
    }

    @Test
    void keeps_ephemeral_containers_as_they_are() {
        change("ephemeralcontainers", pod -> addEphemeral(pod, "{'name':'debug','image':'busybox'}"));
        assertThat(refusal(() -> change(
                                "ephemeralcontainers",
                                pod -> ((ObjectNode) pod.get("spec")).remove("ephemeralContainers")))
                        .message())
                .contains("existing ephemeral containers \"debug\" may not be removed");
        assertThat(refusal(() -> change(
                                "ephemeralcontainers",
                                pod -> ((ObjectNode) pod.at("/spec/ephemeralContainers/0")).put("image", "x")))
                        .message())
                .contains("existing ephemeral containers \"debug\" may not be changed");
        assertThat(refusal(() -> change(
                                "ephemeralcontainers",
                                pod -> addEphemeral(pod, "{'name':'e','image':'i','targetContainerName':'none'}")))
                        .message())
                .contains("targetContainerName: Not found: \"none\"");
    }

    @Test
    void resizes_within_the_class_of_the_pod() {
        registry.create(
                "pods",
                "n",
                "{'metadata':{'name':'sized'},'spec':{'containers':[{'name':'c','image':'i','resources':"
                        + "{'requests':{'cpu':'1'}}}]}}");
        var resize = (RestStorage.Updater) part("resize");
        var _ = resize.update(
                in("n"),
                "sized",
                TestingRegistry.changing(pod -> ((ObjectNode) pod.at("/spec/containers/0"))
                        .put("image", "other")
                        .set("resources", json("{'requests':{'cpu':'2'}}"))));
        ObjectNode sized = registry.read("pods", "n", "sized");
        assertThat(sized.at("/spec/containers/0/resources")).isEqualTo(json("{'requests':{'cpu':'2'}}"));
        assertThat(sized.at("/spec/containers/0/image").asText()).isEqualTo("i");
        assertThat(refusal(() -> change(
                                "resize",
                                pod -> ((ObjectNode) pod.at("/spec/containers/0"))
                                        .set("resources", json("{'requests':{'cpu':'2'}}"))))
                        .message())
                .contains("Pod QOS Class may not change as a result of resizing");
    }

    private ObjectNode apply(String part, String configuration) {
        ObjectNode object = json(configuration);
        object.put("apiVersion", "v1").put("kind", "Pod");
        ((ObjectNode) object.get("metadata")).put("name", "p");
        var _ = ((RestStorage.Applier) part(part))
                .apply(in("n"), "p", new RestStorage.AppliedConfiguration(object, false));
        return pod();
    }

    @Test
    void applies_to_a_part_what_concerns_it_and_owns_that() {
        ObjectNode debugged = apply(
                "ephemeralcontainers",
                "{'metadata':{'labels':{'x':'y'}},'spec':{'ephemeralContainers':[{'name':'debug','image':'busybox'}],"
                        + "'nodeName':'n1'}}");
        assertThat(debugged.at("/spec/ephemeralContainers/0/name").asText()).isEqualTo("debug");
        assertThat(debugged.at("/spec/nodeName").isMissingNode()).isTrue();
        assertThat(debugged.at("/metadata/labels")).isEqualTo(json("{'app':'a'}"));
        assertThat(debugged.at("/metadata/managedFields/0/subresource").asText())
                .isEqualTo("ephemeralcontainers");
        assertThat(debugged.at("/metadata/managedFields/0/operation").asText()).isEqualTo("Apply");
        assertThat(debugged.at("/metadata/managedFields/0/fieldsV1/f:spec").propertyStream())
                .singleElement()
                .satisfies(field -> assertThat(field.getKey()).isEqualTo("f:ephemeralContainers"));

        ObjectNode same = apply("resize", "{'metadata':{},'spec':{'containers':[{'name':'c','image':'other'}]}}");
        assertThat(same.at("/spec/containers/0/image").asText()).isEqualTo("i");
    }

    @Test
    void an_update_of_the_pod_leaves_ephemeral_containers_alone() {
        assertThat(refusal(() -> {
                            var _ = pods.update(
                                    in("n"),
                                    "p",
                                    TestingRegistry.changing(pod -> addEphemeral(pod, "{'name':'d','image':'i'}")));
                        })
                        .message())
                .contains("spec: Forbidden: pod updates may not change fields other than");
    }

    @Test
    void resizes_only_amounts_and_removes_none() {
        registry.create(
                "pods",
                "n",
                "{'metadata':{'name':'sized'},'spec':{'containers':[{'name':'c','image':'i','resources':"
                        + "{'requests':{'cpu':'1','memory':'1Mi'}}}]}}");
        assertThat(refusal(() -> resize("{'requests':{'cpu':'1'}}")).message())
                .contains("spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed");
        assertThat(refusal(() -> resize("{'requests':{'cpu':'1','memory':'1Mi','ephemeral-storage':'1Gi'}}"))
                        .message())
                .contains("spec: Forbidden: only cpu and memory resources are mutable");
    }

    private void resize(String resources) {
        var _ = ((RestStorage.Updater) part("resize"))
                .update(
                        in("n"),
                        "sized",
                        TestingRegistry.changing(
                                pod -> ((ObjectNode) pod.at("/spec/containers/0")).set("resources", json(resources))));
    }

    @Test
    void a_binding_makes_nobody_an_owner() {
        var before = pod().at("/metadata/managedFields");
        perform("binding", "{'target':{'name':'n1'}}");
        assertThat(pod().at("/metadata/managedFields")).isEqualTo(before);
    }

    // ---- what needs a kubelet

    @ParameterizedTest
    @ValueSource(strings = {"log", "exec", "attach", "portforward", "proxy"})
    void says_that_nothing_runs(String name) {
        var part = (RestStorage.Connecter) part(name);
        assertThat(part.methods()).contains("GET");
        assertThat(refusal(() -> part.connect(in("n"), "p")).code()).isEqualTo(501);
        assertThat(refusal(() -> part.connect(in("n"), "p")).message()).contains("there is no kubelet to ask");
        assertThat(refusal(() -> part.connect(in("n"), "none")).code()).isEqualTo(404);
    }
}
