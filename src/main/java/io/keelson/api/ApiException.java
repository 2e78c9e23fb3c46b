package io.keelson.api;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A request that ends with a Status other than success. Carries no stack trace: it is an answer, not a fault of the
 * program.
 */
public final class ApiException extends RuntimeException {
    private final transient Status status;

    public ApiException(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }

    public static ApiException of(StatusReason reason, String message) {
        return new ApiException(new Status(reason.code(), reason, message, null));
    }

    public static ApiException of(StatusReason reason, String message, Status.Details details) {
        return new ApiException(new Status(reason.code(), reason, message, details));
    }

    public static ApiException badRequest(String message) {
        return of(StatusReason.BAD_REQUEST, message);
    }

    public static ApiException notFound(GroupResource resource, String name) {
        return of(StatusReason.NOT_FOUND, resource + " \"" + name + "\" not found", Status.Details.of(resource, name));
    }

    public static ApiException alreadyExists(GroupResource resource, String name) {
        return of(
                StatusReason.ALREADY_EXISTS,
                resource + " \"" + name + "\" already exists",
                Status.Details.of(resource, name));
    }

    public static ApiException conflict(GroupResource resource, String name, String why) {
        return of(
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why,
                Status.Details.of(resource, name));
    }

    /** The object breaks rules: 422 with one cause a field. {@code kind} is the kind's name, such as {@code ConfigMap}. */
    public static ApiException invalid(String group, String kind, String name, List<FieldError> errors) {
        String what = group.isEmpty() ? kind : kind + "." + group;
        String texts = errors.size() == 1
                ? errors.getFirst().text()
                : errors.stream().map(FieldError::text).collect(Collectors.joining(", ", "[", "]"));
        var details = new Status.Details(
                name, group, kind, "", errors.stream().map(FieldError::cause).toList(), 0);
        return of(StatusReason.INVALID, what + " \"" + name + "\" is invalid: " + texts, details);
    }
}
