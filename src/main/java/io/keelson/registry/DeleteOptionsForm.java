package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Versioner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@link DeleteOptions} and refuses those that contradict themselves. Stateless. */
public final class DeleteOptionsForm {
    private DeleteOptionsForm() {}

    /**
     * The options in a {@code DeleteOptions} object.
     *
     * @throws ApiException 400 and 422
     */
    public static DeleteOptions read(JsonNode options) {
        JsonNode preconditions = options.path("preconditions");
        JsonNode revision = preconditions.path("resourceVersion");
        return checked(
                number(options, "gracePeriodSeconds"),
                options.path("propagationPolicy").asText(""),
                options.hasNonNull("orphanDependents")
                        ? options.path("orphanDependents").asBoolean()
                        : null,
                new Preconditions(
                        preconditions.hasNonNull("uid")
                                ? preconditions.path("uid").asText()
                                : null,
                        revision.isMissingNode() || revision.isNull()
                                ? null
                                : Versioner.INSTANCE.parseResourceVersion(revision.asText())));
    }

    private static @Nullable Long number(JsonNode options, String field) {
        JsonNode value = options.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            throw ApiException.badRequest(field + ": " + value + " is not an integer");
        }
        return value.longValue();
    }

    /**
     * Options that have been read one by one.
     *
     * @param policy empty where not given
     * @throws ApiException 422
     */
    public static DeleteOptions checked(
            @Nullable Long grace, String policy, @Nullable Boolean orphan, Preconditions preconditions) {
        var errors = new ArrayList<FieldError>();
        PropagationPolicy propagation = null;
        if (!policy.isEmpty()) {
            propagation = Arrays.stream(PropagationPolicy.values())
                    .filter(known -> known.wire().equals(policy))
                    .findFirst()
                    .orElse(null);
            if (propagation == null) {
                errors.add(FieldError.notSupportedInOrder(
                        "propagationPolicy", policy, List.of("Foreground", "Background", "Orphan", "nil")));
            }
            if (orphan != null) {
                errors.add(FieldError.invalid(
                        "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
            }
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid("meta.k8s.io", "DeleteOptions", "", errors);
        }
        return new DeleteOptions(grace, propagation, orphan, preconditions);
    }
}
