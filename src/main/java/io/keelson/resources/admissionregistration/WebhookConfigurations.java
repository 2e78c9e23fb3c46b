package io.keelson.resources.admissionregistration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.fields.WebhookClients;
import java.util.HashSet;
import java.util.List;

/** Validating and mutating webhook configurations: whom to ask about which writes. */
public final class WebhookConfigurations {
    private static final int DEFAULT_TIMEOUT_SECONDS = 10;
    private static final int MAX_TIMEOUT_SECONDS = 30;
    private static final int HTTPS = 443;

    /** How many labels a webhook's name has at least. */
    private static final int NAME_LABELS = 3;

    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");
    private static final List<String> REVIEWS = List.of("v1", "v1beta1");

    private WebhookConfigurations() {}

    public static ResourceDefinition validating() {
        return definition("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", false);
    }

    public static ResourceDefinition mutating() {
        return definition("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", true);
    }

    private static ResourceDefinition definition(String kind, String plural, boolean mutating) {
        return ResourceDefinition.of(Matching.GROUP, "v1", kind, plural)
                .categories(Matching.CATEGORY)
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .check((faults, one) -> check(faults, one, mutating))
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(one -> fill(one, mutating)))
                .columns(
                        Column.of(
                                "Webhooks",
                                "integer",
                                "How many webhooks there are.",
                                (one, now) -> one.path("webhooks").size()),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode one, boolean mutating) {
        for (ObjectNode webhook : Trees.objects(one.path("webhooks"))) {
            Matching.fillPolicies(webhook);
            Matching.fillScopes(webhook.path("rules"));
            Trees.fill(webhook, "failurePolicy", "Fail");
            Trees.fill(webhook, "timeoutSeconds", DEFAULT_TIMEOUT_SECONDS);
            if (mutating) {
                Trees.fill(webhook, "reinvocationPolicy", "Never");
            }
            if (Trees.at(webhook, "clientConfig", "service") instanceof ObjectNode service) {
                Trees.fill(service, "port", HTTPS);
            }
        }
    }

    private static void check(Faults faults, ObjectNode one, boolean mutating) {
        var names = new HashSet<String>();
        int i = 0;
        for (ObjectNode webhook : Trees.objects(one.path("webhooks"))) {
            String at = "webhooks[" + i++ + "]";
            checkName(faults, at + ".name", webhook.path("name"));
            if (!names.add(Trees.text(webhook, "name"))) {
                faults.duplicate(at + ".name", webhook.path("name"));
            }
            Matching.checkRules(faults, at + ".rules", webhook.path("rules"));
            Matching.checkPolicies(faults, at, webhook);
            Matching.checkConditions(faults, at, webhook);
            faults.oneOf(at + ".failurePolicy", webhook.path("failurePolicy"), Matching.FAILURE_POLICIES);
            if (mutating) {
                faults.oneOf(at + ".reinvocationPolicy", webhook.path("reinvocationPolicy"), REINVOCATIONS);
            }
            checkCall(faults, at, webhook);
        }
    }

    private static void checkName(Faults faults, String field, JsonNode name) {
        if (faults.present(field, name)) {
            faults.rule(field, name.asText(), Names::subdomain);
            if (name.asText().split("\\.", -1).length < NAME_LABELS) {
                faults.invalid(field, name, "should be a domain with at least three segments separated by dots");
            }
        }
    }

    private static void checkCall(Faults faults, String at, ObjectNode webhook) {
        if (!Trees.has(webhook, "sideEffects")) {
            faults.required(at + ".sideEffects", "must specify one of None, NoneOnDryRun");
        } else {
            faults.oneOf(at + ".sideEffects", webhook.path("sideEffects"), SIDE_EFFECTS);
        }
        List<String> reviews = Trees.texts(webhook.path("admissionReviewVersions"));
        if (reviews.isEmpty()) {
            faults.required(at + ".admissionReviewVersions", "must specify one of v1, v1beta1");
        } else if (reviews.stream().noneMatch(REVIEWS::contains)) {
            faults.invalid(
                    at + ".admissionReviewVersions",
                    webhook.path("admissionReviewVersions"),
                    "must include at least one of v1, v1beta1");
        }
        JsonNode timeout = webhook.path("timeoutSeconds");
        if (timeout.asLong() < 1 || timeout.asLong() > MAX_TIMEOUT_SECONDS) {
            faults.invalid(at + ".timeoutSeconds", timeout, "the timeout value must be between 1 and 30 seconds");
        }
        WebhookClients.check(faults, at + ".clientConfig", webhook.path("clientConfig"));
    }
}
