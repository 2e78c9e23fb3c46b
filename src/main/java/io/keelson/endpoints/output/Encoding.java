package io.keelson.endpoints.output;

/** How an object becomes bytes. */
public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    /** Server-sent events, for watches only. */
    EVENT_STREAM("text/event-stream");

    private final String mediaType;

    Encoding(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }
}
