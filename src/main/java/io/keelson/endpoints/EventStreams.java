package io.keelson.endpoints;

import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.api.WatchEvent;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.StorageException;
import io.keelson.storage.Versioner;
import io.keelson.storage.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events (the HTML standard's EventSource) of one or several resources. An event's id is how far the stream
 * has brought the client, one revision for each resource in the order of the request, joined by commas; a client that
 * comes back with it in {@code Last-Event-ID} goes on from there. Where that is too long ago it gets an ERROR event and
 * then the present state anew, ended by a bookmark. No id is told before the present state has been sent whole.
 */
final class EventStreams {
    /** How often a stream that has nothing to tell sends a comment, so that nothing on the way takes it for dead. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    /** How long a browser waits before it comes back, in milliseconds. */
    private static final int RETRY_MILLIS = 1000;

    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Executor threads;

    EventStreams(Executor threads) {
        this.threads = threads;
    }

    /** Opens a stream. Runs on a thread that may block; the request is paused. */
    void serve(Exchange exchange, List<WatchSource> sources, Duration timeout, Runnable onEnd) {
        long[] positions = positions(exchange, sources.size());
        var expired = new ArrayList<WatchSource>();
        for (int i = 0; i < sources.size(); i++) {
            WatchSource source = sources.get(i);
            if (!open(source, positions[i])) {
                expired.add(source);
            }
        }
        exchange.onContext(() -> start(exchange, sources, expired, timeout, onEnd));
    }

    /** Where the client has been before: the header wins, since a browser repeats the URL as it was. */
    private static long[] positions(Exchange exchange, int count) {
        String header = exchange.header("Last-Event-ID");
        String id = header == null || header.isEmpty() ? exchange.query().text("lastEventId") : header;
        var positions = new long[count];
        String[] parts = id.split(",", -1);
        if (!id.isEmpty() && parts.length == count) {
            for (int i = 0; i < count; i++) {
                positions[i] = Versioner.INSTANCE.parseResourceVersion(parts[i].strip());
            }
        }
        return positions;
    }

    /** Opens a source from a position, or else as its client asks; false where it begins anew since that is gone. */
    private static boolean open(WatchSource source, long position) {
        ListOptions options = source.options();
        Long asked = options.resourceVersion();
        long from = position > 0 ? position : asked == null ? 0 : asked;
        if (from == 0 && !Boolean.FALSE.equals(options.sendInitialEvents())) {
            openPresent(source);
            return true;
        }
        if (!source.hasReached(from)) {
            // A position of a store that has been replaced since; its revisions mean nothing here.
            openPresent(source);
            return false;
        }
        ListOptions resumed = options.withMatch(ResourceVersionMatch.UNSET)
                .withSendInitialEvents(null)
                .withResourceVersion(from)
                .withAllowBookmarks(true);
        source.use(source.open(resumed), from, false);
        return true;
    }

    private static void openPresent(WatchSource source) {
        source.use(source.open(present(source.options())), 0, true);
    }

    private static ListOptions present(ListOptions options) {
        return options.withResourceVersion(null)
                .withMatch(ResourceVersionMatch.NOT_OLDER_THAN)
                .withSendInitialEvents(true)
                .withAllowBookmarks(true);
    }

    private void start(
            Exchange exchange, List<WatchSource> sources, List<WatchSource> expired, Duration timeout, Runnable onEnd) {
        if (!exchange.head(200, "text/event-stream;charset=utf-8")) {
            sources.forEach(WatchSource::close);
            return;
        }
        var response = exchange.request().response();
        // Proxies that gather answers would hold events back.
        response.putHeader("X-Accel-Buffering", "no");
        response.setChunked(true);
        var channel = new ResponseChannel(response);
        channel.write(("retry: " + RETRY_MILLIS + "\n\n").getBytes(StandardCharsets.US_ASCII));
        exchange.request().resume();
        for (WatchSource source : expired) {
            channel.write(source.encode(WatchEvent.error(gone())));
        }
        var holder = new StreamHolder();
        var stream = new WatchStream(exchange.pulse(), channel, sources, true, source -> {
            threads.execute(() -> reopen(exchange, source, holder));
            return true;
        });
        holder.stream = stream;
        long keepAlive = exchange.vertx().setPeriodic(KEEP_ALIVE.toMillis(), tick -> {
            if (!channel.full()) {
                channel.write(COMMENT);
            }
        });
        stream.atEnd(() -> exchange.vertx().cancelTimer(keepAlive));
        WatchVerb.run(exchange, stream, timeout, onEnd);
    }

    private static final class StreamHolder {
        private volatile @Nullable WatchStream stream;
    }

    /** After a watch's end with an error, which the client has been sent: the present state anew. */
    private static void reopen(Exchange exchange, WatchSource source, StreamHolder holder) {
        Watch watch;
        try {
            watch = source.open(present(source.options()));
        } catch (StorageException | ApiException e) {
            // The browser comes back by itself and is told what is wrong then.
            exchange.onContext(() -> {
                WatchStream stream = holder.stream;
                if (stream != null) {
                    stream.end();
                }
            });
            return;
        }
        exchange.onContext(() -> {
            WatchStream stream = holder.stream;
            if (stream == null || stream.over()) {
                watch.close();
                return;
            }
            source.use(watch, 0, true);
            stream.listen(source);
        });
    }

    private static Status gone() {
        return new Status(
                StatusReason.EXPIRED.code(),
                StatusReason.EXPIRED,
                "the position to go on from is not one of this store; the present state follows",
                null);
    }
}
