package io.keelson.endpoints;

import io.keelson.api.ApiException;
import io.keelson.api.StatusReason;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a request's body, up to a limit and within a time. Runs on the request's event loop; the callback is called
 * there, exactly once, with the body or what is wrong with it.
 */
final class BodyReader {
    /** The largest body, in bytes, as kube-apiserver has it. */
    static final int MAX_BYTES = 3 * 1024 * 1024;

    /** How long a client may take to send its body. */
    private static final long MAX_MILLIS = 30_000;

    private static final byte[] EMPTY = {};

    private final BiConsumer<byte[], @Nullable RuntimeException> done;
    private Buffer gathered = Buffer.buffer();
    private boolean over;

    private BodyReader(BiConsumer<byte[], @Nullable RuntimeException> done) {
        this.done = done;
    }

    static void read(Vertx vertx, HttpServerRequest request, BiConsumer<byte[], @Nullable RuntimeException> done) {
        var reader = new BodyReader(done);
        String length = request.getHeader("Content-Length");
        if (length != null && announcesTooMuch(length)) {
            reader.finish(EMPTY, tooLarge());
            return;
        }
        long timer = vertx.setTimer(MAX_MILLIS, late -> reader.finish(EMPTY, tooSlow()));
        request.handler(reader::take);
        request.endHandler(end -> {
            vertx.cancelTimer(timer);
            reader.finish(reader.gathered.getBytes(), null);
        });
        request.exceptionHandler(broken -> {
            vertx.cancelTimer(timer);
            reader.finish(EMPTY, ApiException.badRequest("the request's body broke off"));
        });
    }

    private static boolean announcesTooMuch(String length) {
        try {
            return Long.parseLong(length) > MAX_BYTES;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private void take(Buffer piece) {
        if (over) {
            return;
        }
        if (gathered.length() + piece.length() > MAX_BYTES) {
            gathered = Buffer.buffer();
            finish(EMPTY, tooLarge());
            return;
        }
        gathered.appendBuffer(piece);
    }

    private void finish(byte[] body, @Nullable RuntimeException problem) {
        if (!over) {
            over = true;
            done.accept(body, problem);
        }
    }

    private static ApiException tooLarge() {
        return ApiException.of(
                StatusReason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + MAX_BYTES + " bytes");
    }

    private static ApiException tooSlow() {
        return ApiException.of(
                StatusReason.TIMEOUT, "the request's body did not arrive within " + MAX_MILLIS / 1000 + " s");
    }
}
