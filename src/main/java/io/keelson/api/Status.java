package io.keelson.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request came to when it did not give an object: {@code metav1.Status}. Every error leaves the server in this
 * form.
 *
 * @param code the HTTP status code
 * @param reason machine-readable, null for a success and where there is no word for a failure
 * @param details what it is about, null where there is nothing to say
 */
public record Status(
        int code,
        @Nullable StatusReason reason,
        String message,
        @Nullable Details details) {
    /**
     * What a Status is about.
     *
     * @param kind the resource (or kind) at fault; empty where unknown
     * @param retryAfterSeconds when to try again; 0 says nothing
     */
    public record Details(
            String name, String group, String kind, String uid, List<StatusCause> causes, int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }

        public static Details of(GroupResource resource, String name) {
            return new Details(name, resource.group(), resource.resource(), "", List.of(), 0);
        }

        public static Details causes(List<StatusCause> causes) {
            return new Details("", "", "", "", causes, 0);
        }

        public static Details retryAfter(int seconds) {
            return new Details("", "", "", "", List.of(), seconds);
        }

        public Details withCauses(List<StatusCause> more) {
            return new Details(name, group, kind, uid, more, retryAfterSeconds);
        }

        public Details withRetryAfter(int seconds) {
            return new Details(name, group, kind, uid, causes, seconds);
        }
    }

    /** What was asked for has been done, and there is no object to show. */
    public static final Status CREATED = new Status(201, null, "", null);

    /** A success without an object of its own, as a deletion answers. */
    public static Status success(Details details) {
        return new Status(200, null, "", details);
    }

    public boolean failed() {
        return code >= 400;
    }

    public ObjectNode toTree() {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", failed() ? "Failure" : "Success");
        if (!message.isEmpty()) {
            status.put("message", message);
        }
        if (reason != null) {
            putUnlessEmpty(status, "reason", reason.wire());
        }
        if (details != null) {
            putDetails(status.putObject("details"), details);
        }
        if (failed() || code == CREATED.code()) {
            status.put("code", code);
        }
        return status;
    }

    public byte[] toJson() {
        return Json.write(toTree());
    }

    private static void putDetails(ObjectNode to, Details details) {
        putUnlessEmpty(to, "name", details.name());
        putUnlessEmpty(to, "group", details.group());
        putUnlessEmpty(to, "kind", details.kind());
        putUnlessEmpty(to, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            var causes = to.putArray("causes");
            for (StatusCause cause : details.causes()) {
                ObjectNode node = causes.addObject();
                putUnlessEmpty(node, "reason", cause.reason());
                putUnlessEmpty(node, "message", cause.message());
                putUnlessEmpty(node, "field", cause.field());
            }
        }
        if (details.retryAfterSeconds() > 0) {
            to.put("retryAfterSeconds", details.retryAfterSeconds());
        }
    }

    private static void putUnlessEmpty(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }
}
