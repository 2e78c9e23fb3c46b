package io.keelson.endpoints;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;

/** Makes Vert.x buffers of byte arrays without copying them. */
final class Buffers {
    private Buffers() {}

    /** A buffer over arrays, one after the other. They must not change any more. */
    @SuppressWarnings("deprecation") // The other factory methods copy.
    static Buffer wrap(byte[]... pieces) {
        return Buffer.buffer(Unpooled.wrappedBuffer(pieces));
    }
}
