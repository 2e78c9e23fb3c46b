package io.keelson.endpoints;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the streams of one event loop that have something to write, in rounds. A round begins at once where none has begun
 * lately; else it waits until {@link #GAP_NANOS} after the last one's begin, so that in a flood of events each stream writes
 * several with one system call, and the loop has time for requests. Tasks are added from any thread and run on the loop.
 */
final class StreamPulse {
    /** The least time between the begins of two rounds, and so the most that a round adds to an event's way. */
    static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How many streams are run before the loop looks after its sockets again. */
    private static final int MAX_RUN = 128;

    private static final Logger LOG = LoggerFactory.getLogger(StreamPulse.class);

    private static final FastThreadLocal<StreamPulse> OF_LOOP = new FastThreadLocal<>();

    private final EventExecutor loop;
    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** What the present round still has to run. Used on the loop only. */
    private final Queue<Runnable> round = new ArrayDeque<>();

    /** When the next round may begin. Written on the loop, read from any thread: an old value makes a round early. */
    private volatile long nextBegin = System.nanoTime();

    StreamPulse(EventExecutor loop) {
        this.loop = loop;
    }

    /** The pulse of an event loop; to be asked for on that loop. */
    static StreamPulse of(EventExecutor loop) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("not on the event loop");
        }
        StreamPulse pulse = OF_LOOP.get();
        if (pulse == null) {
            pulse = new StreamPulse(loop);
            OF_LOOP.set(pulse);
        }
        return pulse;
    }

    /** Has a task run in the next round. */
    void add(Runnable task) {
        due.add(task);
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            long wait = nextBegin - System.nanoTime();
            if (wait <= 0) {
                loop.execute(this::begin);
            } else {
                var _ = loop.schedule(this::begin, wait, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void begin() {
        nextBegin = System.nanoTime() + GAP_NANOS;
        for (Runnable task = due.poll(); task != null; task = due.poll()) {
            round.add(task);
        }
        run();
    }

    private void run() {
        for (int i = 0; i < MAX_RUN; i++) {
            Runnable task = round.poll();
            if (task == null) {
                end();
                return;
            }
            runSafely(task);
        }
        loop.execute(this::run);
    }

    /** One stream's fault must not keep the others of the loop from ever being run again. */
    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a stream of an event loop failed", e);
        }
    }

    private void end() {
        scheduled.set(false);
        // What was added during the round found one scheduled.
        if (!due.isEmpty()) {
            schedule();
        }
    }
}
