package io.keelson.endpoints.output;

import io.keelson.api.ApiObject;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a list, made while they are taken: a header, the items joined by commas, a footer, in arrays of about
 * {@link #CHUNK_BYTES}. So a writer that waits for its client holds one chunk, never the list. A chunk is the taker's own.
 * Where {@link #hasNext} is false after the first chunk, that chunk's length is the whole answer's. Not thread-safe.
 */
public final class Chunks implements Iterator<byte[]> {
    /** When a chunk is handed out, in bytes: the size of a write that is worth its system call. */
    public static final int CHUNK_BYTES = 64 * 1024;

    private static final byte[] COMMA = {','};

    /** Writes one object as an item. */
    @FunctionalInterface
    interface Item {
        void write(ApiObject object, Pieces out);
    }

    private final Iterator<ApiObject> objects;
    private final Item item;
    private final Pieces pieces = new Pieces();
    private byte @Nullable [] footer;
    private boolean first = true;

    Chunks(byte[] header, Iterator<ApiObject> objects, Item item, byte[] footer) {
        this.objects = objects;
        this.item = item;
        this.footer = footer;
        pieces.add(header);
    }

    @Override
    public boolean hasNext() {
        return footer != null;
    }

    @Override
    public byte[] next() {
        byte[] last = footer;
        if (last == null) {
            throw new NoSuchElementException();
        }
        while (pieces.size() < CHUNK_BYTES && objects.hasNext()) {
            if (!first) {
                pieces.add(COMMA);
            }
            first = false;
            item.write(objects.next(), pieces);
        }
        if (!objects.hasNext()) {
            pieces.add(last);
            footer = null;
        }
        return pieces.join();
    }

    /** All that is left as one array, for what must see the whole: indented output and YAML. */
    public byte[] join() {
        var all = new Pieces();
        while (hasNext()) {
            all.add(next());
        }
        return all.join();
    }
}
