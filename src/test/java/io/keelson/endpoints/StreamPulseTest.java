package io.keelson.endpoints;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamPulseTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Integer> run = new ArrayList<>();

    /** A pulse on a loop whose clock stands still until it is moved. */
    private StreamPulse pulse() {
        channel.freezeTime();
        return new StreamPulse(channel.eventLoop());
    }

    private void add(StreamPulse pulse, int task) {
        pulse.add(() -> run.add(task));
    }

    @Test
    void after_a_time_of_quiet_a_round_begins_at_once() {
        StreamPulse pulse = pulse();

        add(pulse, 1);
        channel.runPendingTasks();

        assertThat(run).containsExactly(1);
    }

    @Test
    void what_comes_soon_after_a_round_waits_for_the_next_one_together() {
        StreamPulse pulse = pulse();
        add(pulse, 1);
        channel.runPendingTasks();

        add(pulse, 2);
        add(pulse, 3);
        channel.runPendingTasks();
        assertThat(run).containsExactly(1);

        channel.advanceTimeBy(StreamPulse.GAP_NANOS, NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(run).containsExactly(1, 2, 3);
    }

    @Test
    void what_a_round_itself_adds_is_left_to_the_next_one() {
        StreamPulse pulse = pulse();
        pulse.add(() -> add(pulse, 1));

        channel.runPendingTasks();
        assertThat(run).isEmpty();

        channel.advanceTimeBy(StreamPulse.GAP_NANOS, NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(run).containsExactly(1);
    }

    @Test
    void a_stream_that_fails_holds_up_no_other() {
        StreamPulse pulse = pulse();
        pulse.add(() -> {
            throw new IllegalStateException("as the test wants it");
        });
        add(pulse, 1);
        channel.runPendingTasks();
        assertThat(run).containsExactly(1);

        add(pulse, 2);
        channel.advanceTimeBy(StreamPulse.GAP_NANOS, NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(run).containsExactly(1, 2);
    }

    @Test
    void a_round_of_many_streams_runs_them_all_in_their_order() {
        StreamPulse pulse = pulse();

        IntStream.range(0, 1000).forEach(task -> add(pulse, task));
        channel.runPendingTasks();

        assertThat(run)
                .containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void each_loop_has_one_pulse_and_only_the_loop_may_ask_for_it() throws Exception {
        var loop = new DefaultEventLoop();
        try {
            StreamPulse first = loop.submit(() -> StreamPulse.of(loop)).get();
            StreamPulse second = loop.submit(() -> StreamPulse.of(loop)).get();

            assertThat(second).isSameAs(first);
            assertThatThrownBy(() -> StreamPulse.of(loop)).isInstanceOf(IllegalStateException.class);
        } finally {
            var _ = loop.shutdownGracefully(0, 1, SECONDS);
        }
    }

    @Test
    void tasks_of_many_threads_are_all_run() throws Exception {
        var loop = new DefaultEventLoop();
        int threads = 4;
        int each = 5_000;
        var all = new CountDownLatch(threads * each);
        try {
            var pulse = new StreamPulse(loop);
            for (int thread = 0; thread < threads; thread++) {
                Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < each; i++) {
                        pulse.add(all::countDown);
                    }
                });
            }

            assertThat(all.await(30, SECONDS)).isTrue();
        } finally {
            var _ = loop.shutdownGracefully(0, 1, SECONDS);
        }
    }
}
