package io.keelson.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An object at rest and in the cache: its JSON bytes with the resourceVersion spliced in, the metadata that the server
 * decides by, and the values of its selectable fields. Immutable: the arrays it hands out are not to be changed.
 *
 * <p>The bytes are canonical: {@code {"apiVersion":…,"kind":…,"metadata":{"resourceVersion":"7",…},…}}. So parts of the
 * answer are slices of them: a list item of a built-in kind begins at the metadata, and a PartialObjectMetadata is the
 * metadata alone.
 *
 * <p>A large object that is seldom read may be kept {@link #packed}: it gives its JSON out in a new array each time.
 */
public final class ApiObject {
    static final byte[] RESOURCE_VERSION = "{\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] API_VERSION = "{\"apiVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] METADATA = "\"metadata\":".getBytes(StandardCharsets.US_ASCII);
    private static final String[] NO_FIELDS = {};

    /** The JSON, or what {@link Packed} makes of it. */
    private final byte[] bytes;

    private final int metadataStart;
    private final int metadataEnd;
    private final long resourceVersion;
    private final ObjectMeta meta;
    private final String[] fields;

    ApiObject(
            byte[] bytes, int metadataStart, int metadataEnd, long resourceVersion, ObjectMeta meta, String[] fields) {
        this.bytes = bytes;
        this.metadataStart = metadataStart;
        this.metadataEnd = metadataEnd;
        this.resourceVersion = resourceVersion;
        this.meta = meta;
        this.fields = fields.length == 0 ? NO_FIELDS : fields;
    }

    /** The whole object as JSON. */
    public byte[] json() {
        return Packed.is(bytes) ? Packed.unpack(bytes, Packed.length(bytes)) : bytes;
    }

    /** The beginning of {@link #json()} with the metadata, maybe more: for who wants nothing but slices of that. */
    public byte[] head() {
        return Packed.is(bytes) ? Packed.unpack(bytes, metadataEnd) : bytes;
    }

    /** The same object in less memory, at the cost of about a millisecond for each read of some hundred kilobytes. */
    public ApiObject packed() {
        return Packed.is(bytes)
                ? this
                : new ApiObject(Packed.pack(bytes), metadataStart, metadataEnd, resourceVersion, meta, fields);
    }

    /** How long the array is that holds the JSON, packed or not, in bytes. */
    public int heldBytes() {
        return bytes.length;
    }

    public boolean isPacked() {
        return Packed.is(bytes);
    }

    public long resourceVersion() {
        return resourceVersion;
    }

    public ObjectMeta meta() {
        return meta;
    }

    /**
     * The value of the selectable field at an index of the resource's {@link SelectableFields}; empty where unset, and where the
     * object was read before the resource had so many.
     */
    public String field(int index) {
        return index < fields.length ? fields[index] : "";
    }

    /** Where the metadata object starts in {@link #json()}, inclusive: the offset of its brace. */
    public int metadataStart() {
        return metadataStart;
    }

    /** Where the metadata object ends in {@link #json()}, exclusive. */
    public int metadataEnd() {
        return metadataEnd;
    }

    /**
     * Where the fields after apiVersion and kind start in {@link #json()}: the offset of {@code "metadata"}'s quote. A
     * brace and the bytes from here are the object as an item of a list of its kind.
     */
    public int itemStart() {
        return metadataStart - METADATA.length;
    }

    /** The same object stamped with another resourceVersion, as a deletion's event carries it. */
    public ApiObject withResourceVersion(long revision) {
        int from = metadataStart + RESOURCE_VERSION.length;
        int oldLength = Long.toString(resourceVersion).length();
        byte[] digits = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
        byte[] json = json();
        var out = new byte[json.length - oldLength + digits.length];
        System.arraycopy(json, 0, out, 0, from);
        System.arraycopy(digits, 0, out, from, digits.length);
        System.arraycopy(json, from + oldLength, out, from + digits.length, json.length - from - oldLength);
        var stamped =
                new ApiObject(out, metadataStart, metadataEnd + digits.length - oldLength, revision, meta, fields);
        return isPacked() ? stamped.packed() : stamped;
    }

    /**
     * The same object as one of another version whose fields are the same.
     *
     * @param apiVersion in ASCII, such as {@code example.com/v2}
     */
    public ApiObject withApiVersion(String apiVersion) {
        byte[] json = json();
        int end = API_VERSION.length;
        while (json[end] != '"') {
            end++;
        }
        byte[] version = apiVersion.getBytes(StandardCharsets.US_ASCII);
        int added = version.length - (end - API_VERSION.length);
        var out = new byte[json.length + added];
        System.arraycopy(API_VERSION, 0, out, 0, API_VERSION.length);
        System.arraycopy(version, 0, out, API_VERSION.length, version.length);
        System.arraycopy(json, end, out, end + added, json.length - end);
        return new ApiObject(out, metadataStart + added, metadataEnd + added, resourceVersion, meta, fields);
    }

    /** Whether this is an object of a version, such as {@code example.com/v2}. */
    public boolean isOf(String apiVersion) {
        byte[] json = head();
        int at = API_VERSION.length;
        if (json.length <= at + apiVersion.length() || json[at + apiVersion.length()] != '"') {
            return false;
        }
        for (int i = 0; i < apiVersion.length(); i++) {
            if (json[at + i] != apiVersion.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the stored form of this object, which carries no resourceVersion, equals some bytes. */
    public boolean sameStoredBytes(byte[] stored) {
        byte[] json = json();
        int head = metadataStart + 1;
        int spliced = splicedLength(json);
        return stored.length == json.length - spliced
                && Arrays.equals(stored, 0, head, json, 0, head)
                && Arrays.equals(stored, head, stored.length, json, head + spliced, json.length);
    }

    /** Whether the stored form of this object is as long as some bytes. */
    public boolean sameStoredLength(byte[] stored) {
        byte[] json = json();
        return stored.length == json.length - splicedLength(json);
    }

    private int splicedLength(byte[] json) {
        int text = RESOURCE_VERSION.length - 1 + Long.toString(resourceVersion).length();
        return text + (json[metadataStart + 1 + text + 1] == ',' ? 2 : 1);
    }

    @Override
    public String toString() {
        return new String(json(), StandardCharsets.UTF_8);
    }
}
