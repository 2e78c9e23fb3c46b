package io.keelson.endpoints;

import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the events of one or several watches to a client, at the client's pace: it polls as long as the channel takes
 * more, then waits for the channel. All but {@link #wake} runs on the channel's event loop.
 */
final class WatchStream {
    private static final Logger LOG = LoggerFactory.getLogger(WatchStream.class);

    /** About how much is handed to the channel at a time, in bytes. */
    private static final int BATCH_BYTES = 64 * 1024;

    /** What a stream does about a watch that has ended with an error event, which has been written. */
    @FunctionalInterface
    interface OnError {
        /** Returns whether the stream goes on. */
        boolean goesOn(WatchSource source);
    }

    private final StreamPulse pulse;
    private final EventChannel channel;
    private final List<WatchSource> sources;
    private final boolean ids;
    private final OnError onError;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final List<Runnable> atEnd = new ArrayList<>();
    private boolean waitsForDrain;
    private boolean over;
    private int nextSource;

    /** @param ids whether events carry the positions as a server-sent event's id */
    WatchStream(StreamPulse pulse, EventChannel channel, List<WatchSource> sources, boolean ids, OnError onError) {
        this.pulse = pulse;
        this.channel = channel;
        this.sources = List.copyOf(sources);
        this.ids = ids;
        this.onError = onError;
    }

    /** Begins to carry; the channel's head has been written. */
    void start() {
        channel.onClose(this::finish);
        for (WatchSource source : sources) {
            listen(source);
        }
        wake();
    }

    void listen(WatchSource source) {
        var watch = source.watch();
        if (watch != null) {
            watch.onReady(this::wake);
        }
    }

    void atEnd(Runnable task) {
        atEnd.add(task);
    }

    /** Something may be there to poll. From any thread; cheap when repeated. */
    void wake() {
        if (scheduled.compareAndSet(false, true)) {
            pulse.add(this::turn);
        }
    }

    private void turn() {
        scheduled.set(false);
        try {
            drain();
        } catch (RuntimeException e) {
            LOG.error("a stream of events ends, so that its client comes back where it was", e);
            end();
        }
    }

    private void drain() {
        while (!over && !waitsForDrain) {
            if (channel.full()) {
                waitsForDrain = true;
                channel.onDrain(() -> {
                    waitsForDrain = false;
                    wake();
                });
                return;
            }
            if (!writeBatch()) {
                endIfSourcesEnded();
                return;
            }
        }
    }

    /** Writes what there is, up to a batch; returns false where there was nothing. */
    private boolean writeBatch() {
        var frames = new ArrayList<byte[]>(4);
        int bytes = 0;
        boolean ends = false;
        while (bytes < BATCH_BYTES && !ends) {
            WatchSource source = null;
            WatchEvent event = null;
            for (int i = 0; i < sources.size() && event == null; i++) {
                source = sources.get((nextSource + i) % sources.size());
                event = source.poll();
            }
            if (event == null || source == null) {
                break;
            }
            nextSource++;
            byte[] frame = source.encode(event);
            byte[] id = ids ? id() : null;
            if (id != null) {
                frames.add(id);
            }
            frames.add(frame);
            bytes += frame.length;
            if (event.type() == WatchEventType.ERROR) {
                ends = !onError.goesOn(source);
                if (!ends) {
                    source.awaitNext();
                }
            }
        }
        if (frames.isEmpty()) {
            return false;
        }
        channel.write(frames.toArray(byte[][]::new));
        if (ends) {
            channel.end();
            finish();
        }
        return true;
    }

    /** The positions of all sources, or null as long as one of them cannot be gone on from. */
    private byte @Nullable [] id() {
        var id = new StringBuilder("id: ");
        for (WatchSource source : sources) {
            if (!source.positionKnown()) {
                return null;
            }
            id.append(id.length() > 4 ? "," : "").append(source.position());
        }
        return id.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void endIfSourcesEnded() {
        for (WatchSource source : sources) {
            if (source.ended()) {
                end();
                return;
            }
        }
    }

    /** Ends the stream in good order: what was written still arrives. */
    void end() {
        if (!over) {
            channel.end();
            finish();
        }
    }

    boolean over() {
        return over;
    }

    private void finish() {
        if (!over) {
            over = true;
            sources.forEach(WatchSource::close);
            atEnd.forEach(Runnable::run);
        }
    }
}
