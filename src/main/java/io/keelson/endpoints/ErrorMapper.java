package io.keelson.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.BadJsonException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.storage.StorageErrors;
import io.keelson.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client hears of anything that may be thrown while its request is served. Stateless. */
final class ErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

    private ErrorMapper() {}

    static Status toStatus(Throwable error, String what) {
        return switch (error) {
            case ApiException e -> e.status();
            case StorageException.Internal e -> {
                LOG.error("{} failed", what, e);
                yield StorageErrors.toStatus(e);
            }
            case StorageException e -> StorageErrors.toStatus(e);
            case BadJsonException e -> status(StatusReason.BAD_REQUEST, "the body cannot be read: " + e.getMessage());
            default -> {
                LOG.error("{} failed", what, error);
                yield status(
                        StatusReason.INTERNAL_ERROR,
                        "Internal error occurred: " + error.getClass().getSimpleName()
                                + "; the server's log has the details");
            }
        };
    }

    /** The Status as it is sent: with the token that goes on from an expired page, where there is one. */
    static ObjectNode toTree(Throwable error, Status status) {
        ObjectNode tree = status.toTree();
        if (error instanceof StorageException.Expired expired
                && !expired.inconsistentContinue().isEmpty()
                && tree.get("metadata") instanceof ObjectNode metadata) {
            metadata.put("continue", expired.inconsistentContinue());
        }
        return tree;
    }

    private static Status status(StatusReason reason, String message) {
        return new Status(reason.code(), reason, message, null);
    }
}
