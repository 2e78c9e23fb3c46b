package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class AdmissionAndFlowKindsTest {
    private static final String RULE =
            "{'apiGroups':['apps'],'apiVersions':['v1'],'operations':['CREATE'],'resources':['deployments']}";

    private final TestingKind webhooks = TestingKind.of("MutatingWebhookConfiguration");

    private static String webhook(String fields) {
        return "{'webhooks':[{'name':'a.example.com','admissionReviewVersions':['v1'],'sideEffects':'None','clientConfig':"
                + "{'service':{'name':'s','namespace':'n'}},'rules':[" + RULE + "]" + fields + "}]}";
    }

    @Test
    void a_webhook_is_filled_in() {
        ObjectNode one = webhooks.created(webhook(""));
        ObjectNode webhook = (ObjectNode) one.at("/webhooks/0");
        assertThat(webhook.at("/clientConfig/service/port").asInt()).isEqualTo(443);
        assertThat(webhook.at("/rules/0/scope").asText()).isEqualTo("*");
        webhook.remove(java.util.List.of("name", "admissionReviewVersions", "sideEffects", "clientConfig", "rules"));
        assertThat(webhook).isEqualTo(json("""
                {'failurePolicy':'Fail','matchPolicy':'Equivalent','namespaceSelector':{},'objectSelector':{},
                'reinvocationPolicy':'Never','timeoutSeconds':10}"""));
        assertThat(webhooks.cells(one)).containsExactly("x", 1, "60s");
    }

    @Test
    void a_webhook_says_whom_to_ask_and_when() {
        assertThat(webhooks.faults("{'webhooks':[{'name':'a'}]}"))
                .containsExactly(
                        "webhooks[0].name: Invalid value: \"a\": should be a domain with at least three segments separated by dots",
                        "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
                        "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
                        "webhooks[0].clientConfig: Required value: exactly one of url or service is required");
        assertThat(webhooks.faults(webhook(",'timeoutSeconds':31"))).hasSize(1);
    }

    @Test
    void policies_and_their_bindings_are_filled_in_and_judged() {
        TestingKind policies = TestingKind.of("ValidatingAdmissionPolicy");
        ObjectNode policy = policies.created("{'spec':{'matchConstraints':{'resourceRules':[" + RULE
                + "]},'validations':[{'expression':'true'}],'paramKind':{'apiVersion':'v1','kind':'ConfigMap'}}}");
        assertThat(policy.at("/spec/failurePolicy").asText()).isEqualTo("Fail");
        assertThat(policy.at("/spec/matchConstraints/matchPolicy").asText()).isEqualTo("Equivalent");
        assertThat(policies.cells(policy)).containsExactly("x", 1, "v1/ConfigMap", "60s");
        assertThat(policies.faults("{}")).hasSize(3);
        TestingKind mutations = TestingKind.of("MutatingAdmissionPolicy");
        assertThat(mutations.faults("{}")).hasSize(3);
        TestingKind bindings = TestingKind.of("ValidatingAdmissionPolicyBinding");
        ObjectNode binding = bindings.created("{'spec':{'policyName':'p','validationActions':['Deny'],'paramRef':"
                + "{'name':'c','namespace':'n','parameterNotFoundAction':'Deny'}}}");
        assertThat(bindings.cells(binding)).containsExactly("x", "p", "n/c", "60s");
        assertThat(bindings.faults("{'spec':{'policyName':'p','validationActions':['Deny','Warn']}}"))
                .hasSize(1);
    }

    @Test
    void flows_and_levels_are_filled_in() {
        TestingKind flows = TestingKind.of("FlowSchema");
        ObjectNode flow = flows.created("{'spec':{'priorityLevelConfiguration':{'name':'low'}}}");
        assertThat(flows.cells(flow)).containsExactly("x", "low", 1000L, "<none>", "60s", "?");
        TestingKind levels = TestingKind.of("PriorityLevelConfiguration");
        ObjectNode level =
                levels.created("{'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{}}}}}");
        assertThat(levels.cells(level)).containsExactly("x", "Limited", 30L, 64L, 8L, 50L, "60s");
        assertThat(levels.cells(levels.created("{'spec':{'type':'Exempt'}}")))
                .containsExactly("x", "Exempt", 0L, "<none>", "<none>", "<none>", "60s");
        assertThat(levels.faults("{'spec':{'type':'Limited'}}")).hasSize(1);
    }

    @Test
    void a_signing_request_shows_what_became_of_it() {
        TestingKind requests = TestingKind.of("CertificateSigningRequest");
        String pem = Base64.getEncoder()
                .encodeToString("-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n"
                        .getBytes(StandardCharsets.US_ASCII));
        ObjectNode request = requests.created("{'spec':{'request':'" + pem + "','signerName':'example.com/s','usages':"
                + "['client auth'],'expirationSeconds':3600}}");
        assertThat(requests.cells(request)).containsExactly("x", "60s", "example.com/s", "", "60m", "Pending");
        request.set("status", json("{'certificate':'eA==','conditions':[{'type':'Approved','status':'True'}]}"));
        assertThat(requests.cells(request)).endsWith("Approved,Issued");
        assertThat(requests.faults("{}")).hasSize(3);
    }
}
