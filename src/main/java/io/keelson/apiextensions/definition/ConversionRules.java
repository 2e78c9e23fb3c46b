package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.fields.WebhookClients;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of {@code spec.conversion}: which webhook converts objects, if any. Stateless. */
final class ConversionRules {
    private static final String PATH = "spec.conversion";
    private static final String CLIENT = PATH + ".webhookClientConfig";
    private static final String REVIEWS = PATH + ".conversionReviewVersions";
    private static final List<String> STRATEGIES = List.of("None", "Webhook");
    private static final List<String> KNOWN_REVIEWS = List.of("v1", "v1beta1");

    private ConversionRules() {}

    static void judge(Faults faults, JsonNode conversion) {
        if (conversion.isMissingNode()) {
            return;
        }
        faults.oneOf(PATH + ".strategy", conversion.path("strategy"), STRATEGIES);
        JsonNode client = conversion.path("webhook").path("clientConfig");
        JsonNode reviews = conversion.path("webhook").path("conversionReviewVersions");
        if (Trees.text(conversion, "strategy").equals("Webhook")) {
            if (client.isObject()) {
                WebhookClients.check(faults, CLIENT, client);
                WebhookClients.checkAuthorities(faults, CLIENT + ".caBundle", client.path("caBundle"));
            } else {
                faults.required(CLIENT, "required when strategy is set to Webhook");
            }
            reviewVersions(faults, reviews);
            return;
        }
        String unwanted = "should not be set when strategy is not set to Webhook";
        if (client.isObject()) {
            faults.forbidden(CLIENT, unwanted);
        }
        if (!reviews.isEmpty()) {
            faults.forbidden(REVIEWS, unwanted);
        }
    }

    private static void reviewVersions(Faults faults, JsonNode reviews) {
        if (reviews.isEmpty()) {
            faults.required(REVIEWS, "");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < reviews.size(); i++) {
            String version = reviews.path(i).asText();
            String place = REVIEWS + "[" + i + "]";
            if (!seen.add(version)) {
                faults.invalid(place, version, "duplicate version");
            } else {
                Names.label1035(version).forEach(wrong -> faults.invalid(place, version, wrong));
            }
        }
        if (KNOWN_REVIEWS.stream().noneMatch(seen::contains)) {
            faults.invalid(REVIEWS, reviews, "must include at least one of " + String.join(", ", KNOWN_REVIEWS));
        }
    }
}
