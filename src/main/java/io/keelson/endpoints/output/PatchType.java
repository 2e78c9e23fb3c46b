package io.keelson.endpoints.output;

/** The kinds of patch, by the Content-Type that names them. */
public enum PatchType {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC_MERGE("application/strategic-merge-patch+json"),
    /** Server-side apply; the body may be JSON, which is YAML. */
    APPLY("application/apply-patch+yaml");

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }
}
