package io.keelson.endpoints.output;

import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.nio.charset.StandardCharsets;

/** Writes objects as PartialObjectMetadata: the metadata alone, cut out of the object's bytes. Immutable. */
public final class PartialMetadata {
    private static final byte[] END = {'}'};

    private final String apiVersion;
    private final byte[] start;

    /**
     * @param metaVersion the version of {@code meta.k8s.io}: {@code v1} or {@code v1beta1}
     */
    public PartialMetadata(String metaVersion) {
        apiVersion = "meta.k8s.io/" + metaVersion;
        start = ("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":")
                .getBytes(StandardCharsets.UTF_8);
    }

    public byte[] object(ApiObject object) {
        var out = new Pieces();
        write(object, out);
        return out.join();
    }

    /** A PartialObjectMetadataList of a page. */
    public Chunks list(ListMeta meta, Iterable<ApiObject> page) {
        return ListEncoder.encode("PartialObjectMetadataList", apiVersion, meta, page.iterator(), this::write);
    }

    /** The object of a watch event in this form; the Status of an ERROR stays as it is. */
    public byte[] event(WatchEvent event) {
        ApiObject object = event.object();
        if (object != null) {
            return object(object);
        }
        return event.type() == WatchEventType.ERROR ? event.json() : metadataOf(event.json());
    }

    /** The same of an object that is known as bytes only, as a bookmark's is. */
    byte[] metadataOf(byte[] json) {
        var out = new Pieces();
        out.add(start);
        out.add(Json.write(Json.parseTrusted(json).path("metadata")));
        out.add(END);
        return out.join();
    }

    void write(ApiObject object, Pieces out) {
        out.add(start);
        out.add(object.head(), object.metadataStart(), object.metadataEnd());
        out.add(END);
    }
}
