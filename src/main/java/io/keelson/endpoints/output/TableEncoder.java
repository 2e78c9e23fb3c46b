package io.keelson.endpoints.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as the rows of a {@code meta.k8s.io} Table, as {@code kubectl get} asks for them. Each object is parsed
 * for its cells; the object that the row carries is copied from its bytes. Immutable.
 */
public final class TableEncoder {
    private static final byte[] ROW_END = {'}'};
    private static final byte[] FOOTER = "]}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_OBJECT = "null".getBytes(StandardCharsets.US_ASCII);

    private final ResourceDefinition resource;
    private final GroupVersionKind kind;
    private final List<Column> columns;
    private final String metaVersion;
    private final IncludeObject include;
    private final PartialMetadata metadata;

    /**
     * @param metaVersion the version of {@code meta.k8s.io}: {@code v1} or {@code v1beta1}
     */
    public TableEncoder(ResourceDefinition resource, String metaVersion, IncludeObject include) {
        this.resource = resource;
        this.kind = resource.kind();
        this.columns = resource.columns();
        this.metaVersion = metaVersion;
        this.include = include;
        this.metadata = new PartialMetadata(metaVersion);
    }

    /**
     * A table of a page.
     *
     * @param now the moment that ages are counted to
     */
    public Chunks table(ListMeta meta, Iterable<ApiObject> page, Instant now) {
        return table(meta, page.iterator(), now, true);
    }

    /** A table of one object. */
    public byte[] table(ApiObject object, Instant now) {
        return one(object, now, true);
    }

    /**
     * The object of a watch event as a table of one row; the Status of an ERROR stays as it is.
     *
     * @param first whether this is the watch's first event: only that one defines the columns
     */
    public byte[] event(WatchEvent event, Instant now, boolean first) {
        ApiObject object = event.object();
        if (object != null) {
            return one(object, now, first);
        }
        return event.type() == WatchEventType.ERROR ? event.json() : bookmark(event, now, first);
    }

    private byte[] one(ApiObject object, Instant now, boolean defineColumns) {
        return table(ListMeta.at(object.resourceVersion()), List.of(object).iterator(), now, defineColumns)
                .join();
    }

    private Chunks table(ListMeta meta, Iterator<ApiObject> objects, Instant now, boolean defineColumns) {
        return new Chunks(header(meta, defineColumns), objects, (object, out) -> writeRow(object, now, out), FOOTER);
    }

    /** A bookmark is an object that has metadata only; its row carries the annotations that the client looks for. */
    private byte[] bookmark(WatchEvent event, Instant now, boolean defineColumns) {
        var out = new Pieces();
        out.add(header(ListMeta.at(event.resourceVersion()), defineColumns));
        out.add(cells(Json.parseTrusted(event.json()), now));
        switch (include) {
            case NONE -> out.add(NO_OBJECT);
            case METADATA -> out.add(metadata.metadataOf(event.json()));
            case OBJECT -> out.add(typed(event.json()));
        }
        out.add(ROW_END);
        out.add(FOOTER);
        return out.join();
    }

    private byte[] typed(byte[] bookmark) {
        return Json.writeObject(
                Json.parseTrusted(bookmark).put("apiVersion", kind.apiVersion()).put("kind", kind.kind()));
    }

    private void writeRow(ApiObject object, Instant now, Pieces out) {
        out.add(cells(Json.parseShown(object.json()), now));
        switch (include) {
            case NONE -> out.add(NO_OBJECT);
            case METADATA -> metadata.write(object, out);
            case OBJECT -> out.add(object.json());
        }
        out.add(ROW_END);
    }

    /** The start of a row, up to the object it carries. */
    private byte[] cells(ObjectNode parsed, Instant now) {
        ObjectNode object = resource.tableForm(parsed);
        var out = new StringBuilder("{\"cells\":[");
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            writeCell(out, columns.get(i).cell().read(object, now));
        }
        out.append("],\"object\":");
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void writeCell(StringBuilder out, @Nullable Object value) {
        switch (value) {
            case null -> out.append("null");
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth.booleanValue());
            default -> Json.quote(out, value.toString());
        }
    }

    private byte[] header(ListMeta meta, boolean defineColumns) {
        var out = new StringBuilder("{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/")
                .append(metaVersion)
                .append("\",\"metadata\":");
        meta.writeTo(out);
        out.append(",\"columnDefinitions\":");
        if (defineColumns) {
            writeColumns(out);
        } else {
            out.append("null");
        }
        return out.append(",\"rows\":[").toString().getBytes(StandardCharsets.UTF_8);
    }

    private void writeColumns(StringBuilder out) {
        out.append('[');
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            out.append(i > 0 ? ",{\"name\":" : "{\"name\":");
            Json.quote(out, column.name());
            out.append(",\"type\":");
            Json.quote(out, column.type());
            out.append(",\"format\":");
            Json.quote(out, column.format());
            out.append(",\"description\":");
            Json.quote(out, column.description());
            out.append(",\"priority\":").append(column.priority()).append('}');
        }
        out.append(']');
    }
}
