package io.keelson.endpoints.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An answer's bytes, compressed while they are taken. A piece that is handed out is the taker's own. Not thread-safe.
 *
 * <p>Only long answers are compressed, and only to who asks: for short ones it costs more than it saves.
 */
public final class Gzip implements Iterator<byte[]> {
    /** From how many bytes on an answer is compressed: kube-apiserver's own limit. */
    public static final int MIN_BYTES = 128 * 1024;

    private final Iterator<byte[]> pieces;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final GZIPOutputStream gzip;
    private boolean more = true;

    /** @param pieces what to compress */
    public Gzip(Iterator<byte[]> pieces) {
        this.pieces = pieces;
        try {
            this.gzip = new GZIPOutputStream(taken) {
                {
                    def.setLevel(Deflater.BEST_SPEED);
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a client takes gzip, by its Accept-Encoding header. */
    public static boolean isAccepted(@Nullable String acceptEncoding) {
        if (acceptEncoding == null) {
            return false;
        }
        for (String coding : acceptEncoding.split(",")) {
            String[] parts = coding.strip().split(";", 2);
            boolean refused = parts.length > 1 && parts[1].strip().matches("q=0(\\.0*)?");
            if (parts[0].strip().equalsIgnoreCase("gzip")) {
                return !refused;
            }
        }
        return false;
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public byte[] next() {
        try {
            while (taken.size() < Chunks.CHUNK_BYTES && pieces.hasNext()) {
                gzip.write(pieces.next());
            }
            if (!pieces.hasNext()) {
                gzip.close();
                more = false;
            }
            byte[] piece = taken.toByteArray();
            taken.reset();
            return piece;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that is left as one array. */
    public byte[] join() {
        var all = new Pieces();
        while (hasNext()) {
            all.add(next());
        }
        return all.join();
    }
}
