package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RestStorage;
import io.keelson.registry.StatusRest;
import io.keelson.registry.TestingRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may say what about a certificate signing request. */
class SigningRequestsTest {
    private static final String KIND = "certificatesigningrequests";
    private static final String APPROVED = "{'conditions':[{'type':'Approved','status':'True','reason':'R'}]}";
    private static final String DENIED = "{'conditions':[{'type':'Denied','status':'True'}]}";

    private final TestingRegistry registry = new TestingRegistry(BuiltinResources.all(), Admission.ALL, false);
    private final RegistryStore store = registry.store(KIND);
    private final RestStorage.Updater approval = (RestStorage.Updater)
            Objects.requireNonNull(BuiltinSubresources.of(store, () -> null).get("approval"));
    private final RestStorage.Updater status = new StatusRest(store);

    private static String request(String pem, String more) {
        String encoded = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        return "{'metadata':{'name':'x'},'spec':{'request':'" + encoded + "'," + more + "},'status':" + APPROVED + "}";
    }

    private static String request(String more) {
        return request("-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n", more);
    }

    @BeforeEach
    void create() {
        registry.create(KIND, "", request("'signerName':'example.com/s','usages':['client auth']"));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private ObjectNode present() {
        return registry.read(KIND, "", "x");
    }

    private void set(RestStorage.Updater part, String state) {
        var _ = part.update(in(""), "x", TestingRegistry.changing(object -> object.set("status", json(state))));
    }

    private String refusal(Runnable action) {
        return Objects.requireNonNull(
                catchThrowableOfType(ApiException.class, action::run).getMessage());
    }

    @Test
    void a_new_request_is_not_decided_and_its_spec_stays() {
        assertThat(present().path("status")).isEmpty();
        ObjectNode before = present();
        var _ = store.update(in(""), "x", TestingRegistry.changing(object -> {
            ((ObjectNode) object.path("spec")).put("signerName", "example.com/other");
            object.set("status", json(APPROVED));
        }));
        assertThat(present().path("spec")).isEqualTo(before.path("spec"));
        assertThat(present().path("status")).isEmpty();
    }

    @Test
    void only_the_approval_decides_and_a_decision_stays() {
        assertThat(refusal(() -> set(status, APPROVED)))
                .contains("status.conditions: Forbidden: updates may not add a condition of type \"Approved\"");
        set(approval, APPROVED);
        assertThat(present().at("/status/conditions/0/lastUpdateTime").asText()).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(present().at("/metadata/managedFields").toString()).contains("\"subresource\":\"approval\"");

        set(status, "{'certificate':'YQ=='}");
        assertThat(present().at("/status/conditions/0/type").asText()).isEqualTo("Approved");
        set(
                approval,
                APPROVED.replace(
                        "}]",
                        ",'lastUpdateTime':'2030-01-01T00:00:00Z','lastTransitionTime':" + "'2030-01-01T00:00:00Z'}]"));
        assertThat(present().at("/status/certificate").asText()).isEqualTo("YQ==");

        assertThat(refusal(() -> set(approval, "{}")))
                .contains("updates may not remove a condition of type \"Approved\"");
        assertThat(refusal(() -> set(approval, DENIED))).contains("updates may not remove a condition");
        assertThat(refusal(() -> set(status, "{'certificate':'Yg=='}")))
                .contains("status.certificate: Forbidden: updates may not modify existing certificate content");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'conditions':[{'type':'Approved'}]} | status.conditions[0].status: Required value
            {'conditions':[{'type':'Denied','status':'False'}]} | supported values: "True"
            {'conditions':[{'type':'','status':'True'}]} | status.conditions[0].type: Required value
            {'conditions':[{'type':'A','status':'True'},{'type':'A','status':'True'}]} | conditions[1].type: Duplicate value
            {'conditions':[{'type':'Approved','status':'True'},{'type':'Denied','status':'True'}]} | mutually exclusive
            """)
    void refuses_conditions(String state, String fault) {
        assertThat(refusal(() -> set(approval, state))).contains(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'signerName':'kubernetes.io/legacy-unknown','usages':['any'] | the legacy signerName is not allowed
            'signerName':'none','usages':['any'] | must be a fully qualified domain and path
            'signerName':'a.b/c' | spec.usages: Required value: usages must be non-empty
            'signerName':'a.b/c','usages':['any','any'] | spec.usages[1]: Duplicate value: "any"
            'signerName':'a.b/c','usages':['talking'] | spec.usages[0]: Unsupported value: "talking"
            'signerName':'a.b/c','usages':['any'],'expirationSeconds':599 | may not specify a duration less than 600
            """)
    void refuses_requests(String spec, String fault) {
        assertThat(refusal(() -> registry.create(KIND, "", request(spec)))).contains(fault);
    }

    @Test
    void a_request_is_one_in_pem() {
        String spec = "'signerName':'a.b/c','usages':['any']";
        assertThat(refusal(() -> registry.create(KIND, "", request("hello", spec))))
                .contains("PEM block type must be CERTIFICATE REQUEST");
    }
}
