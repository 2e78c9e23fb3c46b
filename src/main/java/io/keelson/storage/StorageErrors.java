package io.keelson.storage;

import io.keelson.api.Status;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client hears of a {@link StorageException} that is not about one named object. */
public final class StorageErrors {
    private static final int RETRY_TOO_LARGE_SECONDS = 1;
    private static final int RETRY_UNREACHABLE_SECONDS = 2;

    private StorageErrors() {}

    public static Status toStatus(StorageException error) {
        String message = String.valueOf(error.getMessage());
        return switch (error) {
            case StorageException.BadRequest e -> status(StatusReason.BAD_REQUEST, message, null);
            case StorageException.KeyNotFound e -> status(StatusReason.NOT_FOUND, message, null);
            case StorageException.KeyExists e -> status(StatusReason.ALREADY_EXISTS, message, null);
            case StorageException.InvalidObject e -> status(StatusReason.CONFLICT, message, null);
            case StorageException.TooLargeResourceVersion e ->
                status(
                        StatusReason.TIMEOUT,
                        message,
                        new Status.Details(
                                "",
                                "",
                                "",
                                "",
                                List.of(new StatusCause("ResourceVersionTooLarge", "Too large resource version", "")),
                                RETRY_TOO_LARGE_SECONDS));
            case StorageException.Expired e -> status(StatusReason.EXPIRED, message, null);
            case StorageException.NotReady e ->
                status(StatusReason.TOO_MANY_REQUESTS, message, Status.Details.retryAfter(e.retryAfterSeconds()));
            case StorageException.Unreachable e ->
                status(StatusReason.SERVICE_UNAVAILABLE, message, Status.Details.retryAfter(RETRY_UNREACHABLE_SECONDS));
            case StorageException.Timeout e -> status(StatusReason.TIMEOUT, message, null);
            case StorageException.UnknownOutcome e -> status(StatusReason.TIMEOUT, message, null);
            case StorageException.Internal e -> status(StatusReason.INTERNAL_ERROR, message, null);
        };
    }

    private static Status status(StatusReason reason, String message, Status.@Nullable Details details) {
        return new Status(reason.code(), reason, message, details);
    }
}
