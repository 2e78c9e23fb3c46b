package io.keelson.resources.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReviewsTest {
    private static final RequestContext CONTEXT = RequestContext.internal("", Instant.EPOCH);

    @Test
    void everythingIsAllowed() {
        ObjectNode answer = ask(
                "selfsubjectaccessreviews",
                "{\"spec\":{\"resourceAttributes\":{\"verb\":\"create\",\"resource\":\"pods\"}}}");
        assertThat(answer.path("status").path("allowed").asBoolean()).isTrue();
        assertThat(answer.path("spec").path("resourceAttributes").path("verb").asText())
                .isEqualTo("create");
    }

    @Test
    void aQuestionAboutNothingOrTwoThingsIsInvalid() {
        assertThatThrownBy(() -> ask("selfsubjectaccessreviews", "{\"spec\":{}}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.resourceAttributes");
        assertThatThrownBy(() -> ask(
                        "selfsubjectaccessreviews",
                        "{\"spec\":{\"resourceAttributes\":{},\"nonResourceAttributes\":{\"path\":\"/\"}}}"))
                .hasMessageContaining("spec.nonResourceAttributes");
    }

    @Test
    void aQuestionAboutSomeoneNamesHim() {
        assertThatThrownBy(() -> ask("subjectaccessreviews", "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\"}}}"))
                .hasMessageContaining("spec.user");
        assertThat(ask(
                                "subjectaccessreviews",
                                "{\"spec\":{\"user\":\"ann\",\"resourceAttributes\":{\"verb\":\"get\"}}}")
                        .path("status")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void rulesAreThoseOfANamespace() {
        assertThatThrownBy(() -> ask("selfsubjectrulesreviews", "{\"spec\":{}}"))
                .hasMessageContaining("spec.namespace");
        assertThat(ask("selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"default\"}}")
                        .at("/status/resourceRules/0/verbs/0")
                        .asText())
                .isEqualTo("*");
    }

    @Test
    void nobodyIsToldApart() {
        assertThat(ask("selfsubjectreviews", "{}")
                        .at("/status/userInfo/username")
                        .asText())
                .isEqualTo("system:anonymous");
        assertThat(ask("tokenreviews", "{\"spec\":{\"token\":\"t\"}}")
                        .at("/status/authenticated")
                        .asBoolean())
                .isFalse();
    }

    private static ObjectNode ask(String resource, String question) {
        var rest = (RestStorage.Creater) Reviews.all().stream()
                .filter(review -> review.definition().plural().equals(resource))
                .findAny()
                .orElseThrow();
        ObjectNode review = Json.parseTrusted(question.getBytes(StandardCharsets.UTF_8));
        return Json.parseTrusted(rest.create(CONTEXT, "", review).json());
    }
}
