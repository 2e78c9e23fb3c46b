package io.keelson.bench;

import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * The reference for HTTP: the least that a Vert.x server can do, answering each request with a body of a given length.
 * Arguments: port, length in bytes.
 */
public final class HelloServer {
    private HelloServer() {}

    @SuppressWarnings("deprecation") // The other factory methods copy.
    public static void main(String... arguments) {
        int port = Integer.parseInt(arguments[0]);
        byte[] body = "x".repeat(Integer.parseInt(arguments[1])).getBytes(StandardCharsets.US_ASCII);
        var vertx = Vertx.vertx();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            var _ = vertx.deployVerticle(new io.vertx.core.AbstractVerticle() {
                @Override
                public void start() {
                    var _ = vertx.createHttpServer()
                            .requestHandler(request -> {
                                var _ = request.response()
                                        .putHeader("Content-Type", "application/json")
                                        .end(Buffer.buffer(Unpooled.wrappedBuffer(body)));
                            })
                            .listen(port, "127.0.0.1");
                }
            });
        }
    }
}
