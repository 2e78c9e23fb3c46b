package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.registry.Admission;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.coordination.Leases;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectorTest {
    private static final LeaderElector.Timing TIMING = LeaderElector.Timing.of(Duration.ofSeconds(15));

    private final TestingRegistry registry = new TestingRegistry(List.of(Leases.definition()), Admission.ALL, false);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final LeaderElector first = elector("first");
    private final LeaderElector second = elector("second");

    private LeaderElector elector(String identity) {
        return new LeaderElector(
                registry.store("leases"),
                "work",
                identity,
                TIMING,
                () -> TestingRegistry.NOW.plusNanos(nanos.get()),
                nanos::get,
                () -> work(identity));
    }

    private LeaderElector.Work work(String identity) {
        return new LeaderElector.Work() {
            @Override
            public void start() {
                heard.add("+" + identity);
            }

            @Override
            public void close() {
                heard.add("-" + identity);
            }
        };
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private JsonNode spec() {
        return registry.read("leases", "kube-system", "work").path("spec");
    }

    @Test
    void the_first_takes_the_lease_and_keeps_it_by_renewing_it() {
        first.look();
        second.look();
        for (int i = 0; i < 20; i++) {
            pass(2);
            first.look();
            second.look();
        }
        assertThat(heard).containsExactly("+first");
        assertThat(spec().path("holderIdentity").asText()).isEqualTo("first");
        assertThat(spec().path("leaseDurationSeconds").asInt()).isEqualTo(15);
        assertThat(spec().path("leaseTransitions").asInt()).isZero();
        assertThat(spec().path("renewTime").asText()).isEqualTo("2030-01-01T00:00:40.500000Z");
    }

    @Test
    void another_takes_over_when_it_has_seen_no_change_for_as_long_as_the_lease_lasts() {
        first.look();
        pass(100);
        // However old it is, it was seen for the first time now.
        second.look();
        pass(14);
        second.look();
        assertThat(heard).containsExactly("+first");
        pass(1);
        second.look();
        assertThat(heard).containsExactly("+first", "+second");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);

        first.look();
        assertThat(heard).containsExactly("+first", "+second", "-first");
    }

    @Test
    void who_cannot_renew_it_stops_before_another_takes_over() {
        first.look();
        second.look();
        registry.kv().failAfter(0, 3);
        pass(9);
        first.look();
        assertThat(heard).containsExactly("+first");
        pass(1);
        first.look();
        assertThat(heard).containsExactly("+first", "-first");
        registry.kv().failAfter(0, 0);
        first.look();
        assertThat(heard).containsExactly("+first", "-first", "+first");
    }

    @Test
    void who_gets_no_answer_about_its_lease_stops_before_one_comes() throws Exception {
        var answers = new AtomicReference<>(new CountDownLatch(0));
        var timing = new LeaderElector.Timing(Duration.ofSeconds(15), Duration.ofMillis(50), Duration.ofMillis(10));
        var slow = new LeaderElector(
                registry.store("leases"),
                "work",
                "slow",
                timing,
                () -> {
                    awaitLatch(answers.get());
                    return TestingRegistry.NOW;
                },
                nanos::get,
                () -> work("slow"));
        slow.look();
        var late = new CountDownLatch(1);
        answers.set(late);
        Thread looking = Thread.ofVirtual().start(slow::look);
        await().atMost(Duration.ofSeconds(30)).until(() -> heard.contains("-slow"));

        late.countDown();
        looking.join();
        assertThat(heard).containsExactly("+slow", "-slow", "+slow");
    }

    @Test
    void who_cannot_start_the_work_tries_again() {
        var fails = new AtomicBoolean(true);
        var unlucky = new LeaderElector(
                registry.store("leases"),
                "work",
                "unlucky",
                LeaderElector.Timing.of(Duration.ofSeconds(1)),
                TestingRegistry.CLOCK,
                System::nanoTime,
                () -> {
                    if (fails.getAndSet(false)) {
                        throw new IllegalStateException("as the test wants it");
                    }
                    return work("unlucky");
                });
        unlucky.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> heard.contains("+unlucky"));
        unlucky.close();
        assertThat(heard).containsExactly("+unlucky", "-unlucky");
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void who_stops_gives_it_back() {
        first.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> heard.contains("+first"));
        first.close();
        assertThat(heard).containsExactly("+first", "-first");
        assertThat(spec().has("holderIdentity")).isFalse();
        second.look();
        assertThat(heard).containsExactly("+first", "-first", "+second");
    }
}
