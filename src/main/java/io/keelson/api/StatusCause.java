package io.keelson.api;

/**
 * One of several things that were wrong with a request.
 *
 * @param reason machine-readable, such as {@code FieldValueInvalid}; may be empty
 * @param field the path of the field at fault, such as {@code spec.containers[0].image}; may be empty
 */
public record StatusCause(String reason, String message, String field) {}
