package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Brings custom objects from one version of their kind into another. Thread-safe. */
public interface VersionConverter {
    /** The strategy {@code None}: versions differ in their apiVersion and in nothing else. */
    VersionConverter NONE = (objects, apiVersion) -> objects.stream()
            .map(object -> object.deepCopy().put("apiVersion", apiVersion))
            .toList();

    /**
     * Gives objects in another version, in the same order. May block.
     *
     * @param objects of other versions than that, of one or several; not changed
     * @throws io.keelson.api.ApiException 500 where they cannot be converted, with words for the client
     */
    List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);
}
