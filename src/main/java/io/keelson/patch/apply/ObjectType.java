package io.keelson.patch.apply;

import io.keelson.api.GroupVersionKind;
import io.keelson.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the fields of a kind.
 *
 * @param schema null where nobody has said what the fields are: then all are allowed, and lists are atomic
 * @param builtin whether kube-apiserver has a Go type for it, which always writes some fields
 */
public record ObjectType(GroupVersionKind kind, @Nullable Schema schema, boolean builtin, OtherVersions others) {
    /** A kind whose fields are called the same in all its versions. */
    public ObjectType(GroupVersionKind kind, @Nullable Schema schema, boolean builtin) {
        this(kind, schema, builtin, OtherVersions.NONE);
    }
}
