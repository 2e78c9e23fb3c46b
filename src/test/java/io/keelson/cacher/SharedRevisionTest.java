package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.Concurrently;
import io.keelson.storage.StorageException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedRevisionTest {
    private static final int READERS = 16;
    private static final int READS_EACH = 500;
    private static final int READS_ALONE = 5000;

    @Test
    void anAnswerNeverPredatesTheQuestion() throws Exception {
        var revision = new AtomicLong();
        var shared = new SharedRevision(() -> {
            long now = revision.get();
            // The answer is on its way while the store goes on.
            Thread.yield();
            return now;
        });
        Concurrently.run(READERS, reader -> {
            for (int i = 0; i < READS_EACH; i++) {
                long before = revision.incrementAndGet();
                assertThat(shared.read()).isGreaterThanOrEqualTo(before);
            }
            return reader;
        });
    }

    @Test
    void readersWhoComeDuringAQuestionShareTheNext() throws Exception {
        var asked = new AtomicInteger();
        var begun = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        var shared = new SharedRevision(() -> {
            int question = asked.incrementAndGet();
            begun.countDown();
            await(answer);
            return question;
        });
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> first = executor.submit(shared::read);
            begun.await();
            Future<Long> second = executor.submit(shared::read);
            answer.countDown();
            assertThat(first.get()).isEqualTo(1);
            assertThat(second.get()).isEqualTo(2);
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void readersWhoComeAgainTogetherShareOneQuestion() throws Exception {
        var asked = new AtomicInteger();
        var shared = new SharedRevision(() -> {
            // A question takes less time than its readers need to come again one after the other.
            Thread.yield();
            return asked.incrementAndGet();
        });
        Concurrently.run(READERS, reader -> {
            for (int i = 0; i < READS_EACH; i++) {
                shared.read();
            }
            return reader;
        });
        assertThat(asked).hasValueLessThan(READERS * READS_EACH / 4);
    }

    @Test
    void aReaderAloneDoesNotWaitForOthers() {
        var shared = new SharedRevision(() -> 1);
        long begin = System.nanoTime();
        for (int i = 0; i < READS_ALONE; i++) {
            shared.read();
        }
        assertThat(System.nanoTime() - begin).isLessThan(READS_ALONE * SharedRevision.MAX_GATHER_NANOS);
    }

    @Test
    void aFailureReachesItsReadersAndTheNextQuestionIsAskedAnew() {
        var asked = new AtomicInteger();
        var shared = new SharedRevision(() -> {
            if (asked.incrementAndGet() == 1) {
                throw new StorageException.Unreachable("away", null);
            }
            return 7;
        });
        assertThatThrownBy(shared::read).isInstanceOf(StorageException.Unreachable.class);
        assertThat(shared.read()).isEqualTo(7);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
