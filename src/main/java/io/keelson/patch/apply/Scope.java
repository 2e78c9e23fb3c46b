package io.keelson.patch.apply;

import java.util.Set;

/** Which fields of an object a write can come to own, by the resource or subresource that it goes to. */
public enum Scope {
    /** The resource of a kind without a status of its own. */
    WHOLE,
    /** The resource of a kind whose status is written elsewhere. */
    WITHOUT_STATUS,
    /** The status subresource. */
    STATUS;

    /** What the server itself keeps in the metadata: nobody owns it. */
    private static final Set<String> SYSTEM_METADATA = Set.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "resourceVersion",
            "selfLink",
            "generation",
            "clusterName",
            "managedFields");

    /** Whether a field at the top of an object counts. */
    boolean counts(String field) {
        return switch (this) {
            case WHOLE -> !isType(field);
            case WITHOUT_STATUS -> !isType(field) && !field.equals("status");
            case STATUS -> field.equals("status");
        };
    }

    private static boolean isType(String field) {
        return field.equals("apiVersion") || field.equals("kind");
    }

    static boolean countsInMetadata(String field) {
        return !SYSTEM_METADATA.contains(field);
    }
}
