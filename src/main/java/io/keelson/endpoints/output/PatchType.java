package io.keelson.endpoints.output;

import io.keelson.registry.ResourceDefinition;
import java.util.List;

/** The kinds of patch, by the Content-Type that names them. */
public enum PatchType {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC_MERGE("application/strategic-merge-patch+json"),
    /** Server-side apply; the body may be JSON, which is YAML. */
    APPLY("application/apply-patch+yaml");

    private static final List<PatchType> ALL = List.of(values());
    private static final List<PatchType> CUSTOM = List.of(JSON, MERGE, APPLY);

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Those that a resource and its subresources take: the merge keys of custom ones are for server-side apply alone. */
    public static List<PatchType> of(ResourceDefinition resource) {
        return resource.isCustom() ? CUSTOM : ALL;
    }

    public String mediaType() {
        return mediaType;
    }
}
