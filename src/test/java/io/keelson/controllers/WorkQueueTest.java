package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keelson.controllers.WorkQueue.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void doublesTheWaitUpToTheLast() {
        var backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
        assertThat(List.of(1, 2, 3, 7, 8, 1_000))
                .extracting(failures -> backoff.after(failures).toMillis())
                .containsExactly(50L, 100L, 200L, 3_200L, 5_000L, 5_000L);
    }

    @Test
    void worksOnEachKeyAndForgetsIt() {
        var worked = new CopyOnWriteArrayList<String>();
        try (var queue = new WorkQueue<String>("test", 2, 10, BACKOFF, (key, age) -> {
            worked.add(key);
            return Outcome.DONE;
        })) {
            queue.add("a");
            queue.add("a");
            queue.add("b");
            queue.start();
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(worked).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void triesAgainWhatFails() {
        var tries = new AtomicInteger();
        try (var queue = new WorkQueue<String>("test", 1, 10, BACKOFF, (key, age) -> switch (tries.incrementAndGet()) {
            case 1, 2, 3 -> throw new IllegalStateException("as the test wants it");
            case 4, 5 -> Outcome.RETRY;
            case 6 -> new Outcome.After(Duration.ofMillis(1));
            default -> Outcome.DONE;
        })) {
            queue.start();
            queue.add("a");
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(tries).hasValue(7);
        }
    }

    @Test
    void worksOnceMoreOnAKeyThatIsAddedMeanwhile() {
        var tries = new AtomicInteger();
        var begun = new CountDownLatch(1);
        var added = new CountDownLatch(1);
        try (var queue = new WorkQueue<String>("test", 2, 10, BACKOFF, (key, age) -> {
            tries.incrementAndGet();
            begun.countDown();
            awaitLatch(added);
            return Outcome.DONE;
        })) {
            queue.start();
            queue.add("a");
            awaitLatch(begun);
            queue.add("a");
            added.countDown();
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    void aKeyThatTakesLongHoldsNoOtherUp() {
        var release = new CountDownLatch(1);
        var worked = new CopyOnWriteArrayList<String>();
        try (var queue = new WorkQueue<String>("test", 2, 10, BACKOFF, (key, age) -> {
            if (key.equals("long")) {
                awaitLatch(release);
            } else if (worked.isEmpty()) {
                worked.add("retried");
                return Outcome.RETRY;
            }
            worked.add(key);
            return Outcome.DONE;
        })) {
            queue.start();
            queue.add("short");
            queue.add("long");
            await().atMost(PATIENCE).until(() -> worked.contains("short"));
            assertThat(worked).containsExactly("retried", "short");
            release.countDown();
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }
    }

    @Test
    void takesNoMoreKeysThanItMayHold() {
        try (var queue = new WorkQueue<Integer>("test", 1, 2, BACKOFF, (key, age) -> Outcome.DONE)) {
            assertThat(queue.add(1)).isTrue();
            assertThat(queue.add(2)).isTrue();
            assertThat(queue.add(3)).isFalse();
            assertThat(queue.add(2)).isTrue();
            queue.start();
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(queue.add(3)).isTrue();
        }
    }

    @Test
    void allKeysTogetherAreTriedAgainAsOftenAsTheBudgetAllows() {
        var nanos = new AtomicLong();
        var tries = new AtomicInteger();
        var fails = new AtomicBoolean(true);
        try (var queue = new WorkQueue<Integer>("test", 4, 1_000, BACKOFF, nanos::get, (key, age) -> {
            tries.incrementAndGet();
            return fails.get() && key > 0 ? Outcome.RETRY : Outcome.DONE;
        })) {
            for (int key = 1; key <= 300; key++) {
                queue.add(key);
            }
            queue.start();
            await().atMost(PATIENCE).until(() -> tries.get() == 300 + RetryBudget.BURST);

            // New keys need no token.
            queue.add(0);
            await().atMost(PATIENCE).until(() -> queue.size() == 300);
            assertThat(tries).hasValue(301 + RetryBudget.BURST);

            nanos.addAndGet(RetryBudget.PERIOD.multipliedBy(7).toNanos());
            await().atMost(PATIENCE).until(() -> tries.get() == 308 + RetryBudget.BURST);

            // As soon as tries succeed, one token is enough for all.
            fails.set(false);
            nanos.addAndGet(RetryBudget.PERIOD.toNanos());
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(tries).hasValue(608 + RetryBudget.BURST);
        }
    }

    @Test
    void theBudgetHasABurstAndFillsSteadily() {
        var nanos = new AtomicLong(Long.MAX_VALUE - 1);
        var budget = new RetryBudget(nanos::get);
        long period = RetryBudget.PERIOD.toNanos();
        for (int i = 0; i < RetryBudget.BURST; i++) {
            assertThat(budget.untilNext()).isZero();
            budget.take();
        }
        assertThat(budget.untilNext()).isEqualTo(period);
        nanos.addAndGet(period / 2);
        assertThat(budget.untilNext()).isEqualTo(period / 2);
        nanos.addAndGet(period / 2);
        budget.take();
        assertThat(budget.untilNext()).isEqualTo(period);
        budget.giveBack();
        assertThat(budget.untilNext()).isZero();

        // No more than a burst is saved up.
        nanos.addAndGet(period * 10 * RetryBudget.BURST);
        for (int i = 0; i < RetryBudget.BURST; i++) {
            budget.take();
        }
        assertThat(budget.untilNext()).isEqualTo(period);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
