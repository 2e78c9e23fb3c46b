package io.keelson.apiextensions.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.testing.ConversionServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConversionWebhookTest {
    private static final String V1 = "example.com/v1";
    private static final String V2 = "example.com/v2";
    private static final String FAILED = "conversion webhook for example.com/v1, Kind=Site";

    private Path folder;
    private ConversionServer server;

    @BeforeAll
    void start(@TempDir Path folder) {
        this.folder = folder;
        server = ConversionServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static ObjectNode json(String text) {
        return Json.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode site(String name, String host) {
        return json("{'apiVersion':'" + V1 + "','kind':'Site','metadata':{'name':'" + name
                + "','namespace':'a','uid':'u-" + name + "','labels':{'l':'1'},'generation':3},'spec':{'host':'" + host
                + "'}}");
    }

    private ConversionWebhook webhook() {
        return new ConversionWebhook(json(server.webhook()));
    }

    private static String fault(ConversionWebhook webhook) {
        ApiException thrown = catchThrowableOfType(
                ApiException.class, () -> webhook.convert(List.of(site("a", "h"), site("b", "h")), V2));
        assertThat(thrown.status().code()).isEqualTo(500);
        return thrown.status().message();
    }

    @Test
    void objects_are_converted_together_and_keep_their_metadata() {
        server.answerOtherwise(answer -> {
            ObjectNode metadata = (ObjectNode) answer.at("/response/convertedObjects/0/metadata");
            metadata.putObject("labels").put("l", "2");
            metadata.putObject("annotations").put("from", "v1");
            metadata.put("generation", 9).putArray("finalizers").add("example.com/none");
            return answer;
        });
        server.forgetRequests();
        List<ObjectNode> converted = webhook().convert(List.of(site("a", "x"), site("b", "y")), V2);
        // What another test did not wait for may come late, and has two objects as well.
        assertThat(server.requests()).isNotEmpty().containsOnly(2);
        assertThat(converted)
                .containsExactly(
                        json("{'apiVersion':'" + V2
                                + "','kind':'Site','metadata':{'name':'a','namespace':'a','uid':'u-a',"
                                + "'generation':3,'labels':{'l':'2'},'annotations':{'from':'v1'}},"
                                + "'spec':{'hostname':'x'}}"),
                        json("{'apiVersion':'" + V2
                                + "','kind':'Site','metadata':{'name':'b','namespace':'a','uid':'u-b',"
                                + "'labels':{'l':'1'},'generation':3},'spec':{'hostname':'y'}}"));
    }

    private static Arguments bad(String words, Consumer<ObjectNode> change) {
        return Arguments.of(words, change);
    }

    private static Consumer<ObjectNode> second(Consumer<ObjectNode> change) {
        return answer -> change.accept((ObjectNode) answer.at("/response/convertedObjects/1"));
    }

    private static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.path("metadata");
    }

    static Stream<Arguments> bad_answers() {
        String object = " returned invalid converted object at index 1: ";
        return Stream.of(
                bad(
                        " failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got v1,"
                                + " Kind=Status",
                        answer -> answer.put("apiVersion", "v1").put("kind", "Status")),
                bad(" failed: no response provided", answer -> answer.remove("response")),
                bad(
                        " failed: response.result.status was 'Failure', not 'Success'",
                        answer -> ((ObjectNode) answer.at("/response/result")).put("status", "Failure")),
                bad(
                        " failed: too old",
                        answer -> ((ObjectNode) answer.at("/response/result"))
                                .put("status", "Failure")
                                .put("message", "too old")),
                bad(
                        " returned 1 objects, expected 2",
                        answer -> ((ArrayNode) answer.at("/response/convertedObjects")).remove(0)),
                bad(
                        object + "invalid groupVersion (expected example.com/v2, received example.com/v3)",
                        second(one -> one.put("apiVersion", "example.com/v3"))),
                bad(object + "invalid kind (expected Site, received Sight)", second(one -> one.put("kind", "Sight"))),
                bad(object + "missing metadata in converted object", second(one -> one.remove("metadata"))),
                bad(
                        object + "must have the same name: b != c",
                        second(one -> metadata(one).put("name", "c"))),
                bad(
                        object + "must have the same namespace: a != ",
                        second(one -> metadata(one).remove("namespace"))),
                bad(
                        object + "must have the same UID: u-b != other",
                        second(one -> metadata(one).put("uid", "other"))),
                bad(
                        object + "metadata.annotations must be an object in converted object",
                        second(one -> metadata(one).put("annotations", 1))),
                bad(
                        object + "metadata.labels[l] must be a string in converted object",
                        second(one -> metadata(one).putObject("labels").put("l", 1))),
                bad(
                        object + "metadata.labels: Invalid value: \"-\": ",
                        second(one -> metadata(one).putObject("labels").put("l", "-"))));
    }

    @ParameterizedTest
    @MethodSource("bad_answers")
    void an_improper_answer_is_told_and_not_taken(String words, Consumer<ObjectNode> change) {
        server.answerOtherwise(answer -> {
            change.accept((ObjectNode) answer);
            return answer;
        });
        assertThat(fault(webhook())).startsWith(FAILED + words);
    }

    @Test
    void an_answer_to_another_question_is_not_taken() {
        server.answerOtherwise(answer -> {
            ((ObjectNode) answer.path("response")).put("uid", "other");
            return answer;
        });
        assertThat(fault(webhook()))
                .startsWith(FAILED + " failed: expected response.uid=\"")
                .endsWith("\", got \"other\"");
    }

    @Test
    void a_server_that_takes_too_long_is_given_up() {
        var over = new CountDownLatch(1);
        server.answerOtherwise(answer -> {
            await(over);
            return answer;
        });
        try {
            assertThat(fault(new ConversionWebhook(json(server.webhook()), Duration.ofMillis(200))))
                    .isEqualTo(FAILED + " failed: Post \"" + server.url() + "\": no answer within 0.2 s");
        } finally {
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_server_of_another_authority_is_not_trusted() throws Exception {
        server.answerOtherwise(answer -> answer);
        try (ConversionServer other = ConversionServer.start(Files.createDirectory(folder.resolve("other")))) {
            ObjectNode webhook = json(server.webhook());
            ((ObjectNode) webhook.path("clientConfig")).put("url", other.url());
            assertThat(fault(new ConversionWebhook(webhook)))
                    .startsWith(FAILED + " failed: Post \"" + other.url() + "\": ")
                    .contains("certificate");
        }
    }

    @Test
    void a_service_is_called_by_its_name_in_the_cluster() {
        JsonNode webhook = json("{'conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'hook',"
                + "'namespace':'there','port':8443,'path':'/convert'}}}");
        assertThat(new ConversionWebhook(webhook).address()).isEqualTo("https://hook.there.svc:8443/convert");
    }

    @Test
    void an_older_form_of_the_review_is_spoken_where_no_other_is_known() {
        server.answerOtherwise(answer -> answer);
        ObjectNode webhook = json(server.webhook());
        webhook.putArray("conversionReviewVersions").add("v9").add("v1beta1");
        assertThat(new ConversionWebhook(webhook).convert(List.of(site("a", "x")), V2))
                .hasSize(1);
    }
}
