package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The other versions of a kind, whose fields are called otherwise: who wrote in one of them owns fields of that. Thread-safe. */
@FunctionalInterface
public interface OtherVersions {
    /** Fields are called the same in all versions, or there is but one. */
    OtherVersions NONE = apiVersion -> null;

    /** A version, and how objects are brought into it. */
    interface Version {
        ObjectType type();

        /**
         * The same object in this version; may block.
         *
         * @param object not to be changed
         */
        ObjectNode convert(ObjectNode object);
    }

    /** A version by its apiVersion; null where its fields are called as those of the kind itself. */
    @Nullable
    Version of(String apiVersion);
}
