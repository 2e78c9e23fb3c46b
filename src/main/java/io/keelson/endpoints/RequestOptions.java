package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.registry.DeleteOptionsForm;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Versioner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Reads the options of a request from its query and body, and refuses those that contradict each other. Stateless. */
final class RequestOptions {
    static final String META_GROUP = "meta.k8s.io";
    private static final String MATCH = "resourceVersionMatch";

    /** How long a watch lasts whose client does not say: between this and twice this, so that not all end at once. */
    private static final Duration MIN_WATCH = Duration.ofMinutes(30);

    private RequestOptions() {}

    /** The options of a list or, with {@code watch}, of a watch. */
    static ListOptions list(QueryParameters query, boolean watch, RandomGenerator random) {
        Long limit = query.number("limit");
        Long timeoutSeconds = query.number("timeoutSeconds");
        String match = query.text(MATCH);
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
                watch ? timeout(timeoutSeconds, random) : null);
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

    private static Duration timeout(@Nullable Long seconds, RandomGenerator random) {
        if (seconds != null && seconds > 0) {
            return Duration.ofSeconds(seconds);
        }
        return MIN_WATCH.plusMillis(random.nextLong(MIN_WATCH.toMillis()));
    }

    private static void validate(
            QueryParameters query, boolean watch, String match, @Nullable Boolean sendInitialEvents) {
        var errors = new ArrayList<FieldError>();
        if (watch) {
            validateWatch(query, match, sendInitialEvents, errors);
        } else {
            validateList(query, match, sendInitialEvents, errors);
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid(META_GROUP, "ListOptions", "", errors);
        }
    }

    private static void validateList(
            QueryParameters query, String match, @Nullable Boolean sendInitialEvents, List<FieldError> errors) {
        String revision = query.text("resourceVersion");
        if (!match.isEmpty()) {
            if (revision.isEmpty()) {
                errors.add(FieldError.forbidden(
                        MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!query.text("continue").isEmpty()) {
                errors.add(FieldError.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
                errors.add(FieldError.notSupportedInOrder(MATCH, match, List.of("Exact", "NotOlderThan", "")));
            }
            if (match.equals("Exact") && revision.equals("0")) {
                errors.add(FieldError.forbidden(
                        MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (sendInitialEvents != null) {
            errors.add(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
    }

    private static void validateWatch(
            QueryParameters query, String match, @Nullable Boolean sendInitialEvents, List<FieldError> errors) {
        if (!match.isEmpty()) {
            if (sendInitialEvents == null) {
                errors.add(FieldError.forbidden(
                        MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (!match.equals("NotOlderThan")) {
                errors.add(FieldError.notSupported(MATCH, match, List.of("NotOlderThan")));
            }
            if (!query.text("continue").isEmpty()) {
                errors.add(FieldError.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
            }
        }
        if (sendInitialEvents != null && !match.equals("NotOlderThan")) {
            errors.add(FieldError.forbidden(
                    MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
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
        return body != null
                ? DeleteOptionsForm.read(body)
                : DeleteOptionsForm.checked(
                        query.number("gracePeriodSeconds"),
                        query.text("propagationPolicy"),
                        query.flag("orphanDependents"),
                        Preconditions.NONE);
    }
}
