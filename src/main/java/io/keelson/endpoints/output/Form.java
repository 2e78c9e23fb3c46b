package io.keelson.endpoints.output;

/** What of an object a client wants, named by the {@code as} parameter of its Accept header. */
public enum Form {
    /** The object itself, or a list of its kind. */
    PLAIN(""),
    TABLE("Table"),
    PARTIAL_METADATA("PartialObjectMetadata"),
    PARTIAL_METADATA_LIST("PartialObjectMetadataList");

    private final String kind;

    Form(String kind) {
        this.kind = kind;
    }

    /** The kind in {@code meta.k8s.io} that the answer has; empty for {@link #PLAIN}. */
    public String kind() {
        return kind;
    }
}
