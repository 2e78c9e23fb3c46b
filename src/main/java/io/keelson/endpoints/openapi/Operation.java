package io.keelson.endpoints.openapi;

import io.keelson.api.GroupVersionKind;
import java.util.List;

/**
 * What one method does at one path, apart from how a version of OpenAPI writes it.
 *
 * @param method in lower case, as path items name it
 * @param action what {@code x-kubernetes-action} says
 * @param kind what {@code x-kubernetes-group-version-kind} says
 * @param id unique in a document
 * @param tag the group and version it belongs to
 * @param consumes the media types of the request's body
 * @param query its query parameters
 * @param body the schema of the request's body; empty where there is none
 * @param answer the schema of the successful answer
 * @param codes of successful answers
 */
record Operation(
        String method,
        String action,
        GroupVersionKind kind,
        String id,
        String tag,
        List<String> consumes,
        List<Parameter> query,
        String body,
        String answer,
        List<Integer> codes) {
    boolean list() {
        return action.equals("list");
    }
}
