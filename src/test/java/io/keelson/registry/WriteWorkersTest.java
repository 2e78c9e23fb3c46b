package io.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteWorkersTest {
    private static final ObjectDecoder DECODER = new ObjectDecoder(SelectableFields.NONE);

    @Test
    void keepsTheOrderAndLeavesOutWhatWasGone() {
        List<ApiObject> deleted =
                WriteWorkers.run(objects(100), object -> object.resourceVersion() % 10 == 0 ? null : object);

        assertThat(deleted)
                .extracting(ApiObject::resourceVersion)
                .hasSize(90)
                .isSorted()
                .noneMatch(revision -> revision % 10 == 0);
    }

    @Test
    void deletesSeveralAtOnce() {
        var together = new CyclicBarrier(WriteWorkers.WORKERS);

        List<ApiObject> deleted = WriteWorkers.run(objects(WriteWorkers.WORKERS), object -> {
            try {
                together.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return object;
        });

        assertThat(deleted).hasSize(WriteWorkers.WORKERS);
    }

    @Test
    void endsWithTheFailureAndBeginsNoMore() {
        var begun = new AtomicInteger();

        assertThatThrownBy(() -> WriteWorkers.run(objects(1000), object -> {
                    begun.incrementAndGet();
                    throw ApiException.badRequest("no");
                }))
                .isInstanceOf(ApiException.class)
                .hasMessage("no");
        assertThat(begun.get()).isLessThanOrEqualTo(WriteWorkers.WORKERS);
    }

    @Test
    void hasNothingToDoForAnEmptyCollection() {
        assertThat(WriteWorkers.run(List.of(), object -> object)).isEmpty();
    }

    private static List<ApiObject> objects(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> DECODER.decode(
                        "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"x%d\"}}"
                                .formatted(i)
                                .getBytes(StandardCharsets.UTF_8),
                        i))
                .toList();
    }
}
