package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Versioner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Reads the options of a request from its query and body, and refuses those that contradict each other. Stateless. */
final class RequestOptions {
    static final String META_GROUP = "meta.k8s.io";

    /** How long a watch lasts whose client does not say: between this and twice this, so that not all end at once. */
    private static final Duration MIN_WATCH = Duration.ofMinutes(30);

    private RequestOptions() {}

    /** The options of a list or, with {@code watch}, of a watch. */
    static ListOptions list(QueryParameters query, boolean watch, RandomGenerator random) {
        Long limit = query.number("limit");
        String match = query.text("resourceVersionMatch");
        Boolean sendInitialEvents = query.flag("sendInitialEvents");
        validate(query, watch, match, sendInitialEvents);
        return new ListOptions(
                minimumRevision(query),
                switch (match) {
                    case "Exact" -> ResourceVersionMatch.EXACT;
                    case "NotOlderThan" -> ResourceVersionMatch.NOT_OLDER_THAN;
                    default -> ResourceVersionMatch.UNSET;
                },
                predicate(query),
                watch || limit == null ? 0 : Math.max(limit, 0),
                watch ? "" : query.text("continue"),
                query.isSet("allowWatchBookmarks"),
                watch ? sendInitialEvents : null,
                watch ? timeout(query, random) : null);
    }

    /** The resourceVersion parameter; null where it is not given. */
    static @Nullable Long minimumRevision(QueryParameters query) {
        String text = query.text("resourceVersion");
        return text.isEmpty() ? null : Versioner.INSTANCE.parseResourceVersion(text);
    }

    private static SelectionPredicate predicate(QueryParameters query) {
        String labels = query.text("labelSelector");
        String fields = query.text("fieldSelector");
        if (labels.isEmpty() && fields.isEmpty()) {
            return SelectionPredicate.EVERYTHING;
        }
        try {
            return new SelectionPredicate(
                    LabelSelector.parse(labels), FieldSelector.parse(fields), SelectableFields.NONE);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static Duration timeout(QueryParameters query, RandomGenerator random) {
        Long seconds = query.number("timeoutSeconds");
        if (seconds != null && seconds > 0) {
            return Duration.ofSeconds(seconds);
        }
        return MIN_WATCH.plusMillis(random.nextLong(MIN_WATCH.toMillis()));
    }

    private static void validate(
            QueryParameters query, boolean watch, String match, @Nullable Boolean sendInitialEvents) {
        var errors = new ArrayList<FieldError>();
        String revision = query.text("resourceVersion");
        if (!match.isEmpty()) {
            validateMatch(query, watch, match, sendInitialEvents, revision, errors);
        }
        if (sendInitialEvents != null) {
            if (!watch) {
                errors.add(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
            } else if (!match.equals("NotOlderThan")) {
                errors.add(FieldError.forbidden(
                        "resourceVersionMatch",
                        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
            }
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid(META_GROUP, "ListOptions", "", errors);
        }
    }

    private static void validateMatch(
            QueryParameters query,
            boolean watch,
            String match,
            @Nullable Boolean sendInitialEvents,
            String revision,
            List<FieldError> errors) {
        String field = "resourceVersionMatch";
        if (watch && sendInitialEvents == null) {
            errors.add(FieldError.forbidden(
                    field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            return;
        }
        if (!watch && revision.isEmpty()) {
            errors.add(FieldError.forbidden(
                    field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!query.text("continue").isEmpty()) {
            errors.add(FieldError.forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            errors.add(FieldError.notSupported(field, match, List.of("Exact", "NotOlderThan", "")));
        }
        if (match.equals("Exact") && revision.equals("0")) {
            errors.add(FieldError.forbidden(
                    field, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
    }

    /** The {@code dryRun} parameter: whether nothing is to be written. */
    static boolean dryRun(List<String> values, String kind) {
        for (String value : values) {
            if (!value.equals("All")) {
                throw ApiException.invalid(
                        META_GROUP, kind, "", List.of(FieldError.notSupported("dryRun", value, List.of("All"))));
            }
        }
        return !values.isEmpty();
    }

    /** Deletion options from a body, where there is one, or from the query. */
    static DeleteOptions delete(@Nullable JsonNode body, QueryParameters query) {
        if (body != null) {
            JsonNode preconditions = body.path("preconditions");
            return deleteOptions(
                    numberOf(body, "gracePeriodSeconds"),
                    body.path("propagationPolicy").asText(),
                    body.has("orphanDependents") ? body.path("orphanDependents").asBoolean() : null,
                    new Preconditions(
                            preconditions.hasNonNull("uid")
                                    ? preconditions.path("uid").asText()
                                    : null,
                            preconditions.hasNonNull("resourceVersion")
                                    ? Versioner.INSTANCE.parseResourceVersion(preconditions
                                            .path("resourceVersion")
                                            .asText())
                                    : null));
        }
        return deleteOptions(
                query.number("gracePeriodSeconds"),
                query.text("propagationPolicy"),
                query.flag("orphanDependents"),
                Preconditions.NONE);
    }

    private static @Nullable Long numberOf(JsonNode body, String field) {
        JsonNode value = body.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            throw ApiException.badRequest(field + ": " + value + " is not an integer");
        }
        return value.longValue();
    }

    private static DeleteOptions deleteOptions(
            @Nullable Long grace, String policy, @Nullable Boolean orphan, Preconditions preconditions) {
        var errors = new ArrayList<FieldError>();
        PropagationPolicy propagation = null;
        if (!policy.isEmpty()) {
            propagation = Arrays.stream(PropagationPolicy.values())
                    .filter(known -> known.wire().equals(policy))
                    .findFirst()
                    .orElse(null);
            if (propagation == null) {
                errors.add(FieldError.notSupported(
                        "propagationPolicy", policy, List.of("Foreground", "Background", "Orphan", "nil")));
            }
            if (orphan != null) {
                errors.add(FieldError.invalid(
                        "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
            }
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid(META_GROUP, "DeleteOptions", "", errors);
        }
        return new DeleteOptions(grace, propagation, orphan, preconditions);
    }
}
