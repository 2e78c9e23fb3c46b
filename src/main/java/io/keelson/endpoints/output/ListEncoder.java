package io.keelson.endpoints.output;

import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.registry.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/** Writes a page of objects as the list of their kind by joining the objects' bytes. Stateless. */
public final class ListEncoder {
    private static final byte[] ITEM_START = {'{'};
    private static final byte[] FOOTER = "]}".getBytes(StandardCharsets.US_ASCII);

    private ListEncoder() {}

    /** A list such as {@code ConfigMapList}. */
    public static Chunks list(ResourceDefinition resource, ListMeta meta, Iterable<ApiObject> page) {
        Chunks.Item item = resource.bareListItems() ? ListEncoder::writeBare : ListEncoder::writeWhole;
        String kind = resource.listKind();
        return encode(kind, resource.kind().apiVersion(), meta, resource.isCustom(), page.iterator(), item);
    }

    static Chunks encode(String kind, String apiVersion, ListMeta meta, Iterator<ApiObject> objects, Chunks.Item item) {
        return encode(kind, apiVersion, meta, false, objects, item);
    }

    private static Chunks encode(
            String kind,
            String apiVersion,
            ListMeta meta,
            boolean tellsLast,
            Iterator<ApiObject> objects,
            Chunks.Item item) {
        var header = new StringBuilder("{\"kind\":");
        Json.quote(header, kind);
        header.append(",\"apiVersion\":");
        Json.quote(header, apiVersion);
        header.append(",\"metadata\":");
        meta.writeTo(header, tellsLast);
        header.append(",\"items\":[");
        return new Chunks(header.toString().getBytes(StandardCharsets.UTF_8), objects, item, FOOTER);
    }

    private static void writeBare(ApiObject object, Pieces out) {
        byte[] json = object.json();
        out.add(ITEM_START);
        out.add(json, object.itemStart(), json.length);
    }

    private static void writeWhole(ApiObject object, Pieces out) {
        out.add(object.json());
    }
}
