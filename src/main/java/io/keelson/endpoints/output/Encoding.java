package io.keelson.endpoints.output;

import io.keelson.endpoints.protobuf.Protobuf;

/** How an object becomes bytes. */
public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    /** Server-sent events, for watches only. */
    EVENT_STREAM("text/event-stream"),
    /** For bodies of requests only: clients that send it take JSON as an answer. */
    PROTOBUF(Protobuf.MEDIA_TYPE);

    private final String mediaType;

    Encoding(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }
}
