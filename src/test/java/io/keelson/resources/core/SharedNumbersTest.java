package io.keelson.resources.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.etcd.EtcdKvStore;
import io.keelson.storage.etcd.EtcdOptions;
import io.keelson.storage.kv.KvStorage;
import io.keelson.storage.kv.KvStore;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Two servers' allocators on one store. */
class SharedNumbersTest {
    private static final int SIZE = 100;
    private static final String PREFIX = "/registry/ranges/servicenodeports/";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final InstantSource clock = now::get;

    private SharedNumbers server(KvStore kv, int seed) {
        return new SharedNumbers(new NumberPool(1, SIZE, new Random(seed)), reservations(kv));
    }

    private Reservations reservations(KvStore kv) {
        var storage = new KvStorage(kv, new ObjectDecoder(SelectableFields.NONE), PREFIX, clock);
        return new StoredReservations(storage, PREFIX, clock);
    }

    private static List<Long> takeHalf(SharedNumbers numbers) {
        var taken = new ArrayList<Long>();
        for (int i = 0; i < SIZE / 2; i++) {
            taken.add(numbers.take(false).orElseThrow());
        }
        return taken;
    }

    @Test
    void two_servers_on_one_etcd_give_no_number_twice() throws InterruptedException, ExecutionException {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
                KvStore oneStore = EtcdKvStore.connect(EtcdOptions.plain(etcd.endpoint()));
                KvStore otherStore = EtcdKvStore.connect(EtcdOptions.plain(etcd.endpoint()));
                var threads = Executors.newFixedThreadPool(2)) {
            SharedNumbers one = server(oneStore, 1);
            SharedNumbers other = server(otherStore, 1);
            List<Callable<List<Long>>> tasks = List.of(() -> takeHalf(one), () -> takeHalf(other));
            var all = new ArrayList<Long>();
            for (var result : threads.invokeAll(tasks)) {
                all.addAll(result.get());
            }
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, SIZE).boxed().toList());
            assertThat(one.take(false)).isEmpty();
            long freed = all.getFirst();
            one.giveBack(freed, false);
            assertThat(other.take(true)).hasValue(freed);
            other.giveBack(freed, true);
            assertThat(other.take(freed, false)).isTrue();
            assertThat(one.take(freed, false)).isFalse();
        }
    }

    @Test
    void a_start_reserves_what_is_in_use_and_frees_what_was_left_behind() {
        try (KvStore kv = EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, clock))) {
            Reservations stored = reservations(kv);
            assertThat(stored.take(3)).isTrue();
            now.set(now.get().plusSeconds(120));
            assertThat(stored.take(4)).isTrue();
            server(kv, 1).seed(Set.of(7L, 500L));
            assertThat(stored.taken()).as("in use, or taken a moment ago").containsExactlyInAnyOrder(4L, 7L);
            assertThat(server(kv, 2).take(7, false)).isFalse();
            assertThat(server(kv, 2).take(500, false)).as("outside the range").isTrue();
        }
    }

    @Test
    void a_dry_run_shows_a_number_and_takes_none() {
        try (KvStore kv = EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, clock))) {
            SharedNumbers numbers = server(kv, 1);
            long shown = numbers.take(true).orElseThrow();
            numbers.giveBack(shown, true);
            assertThat(reservations(kv).taken()).isEmpty();
            assertThat(numbers.take(shown, false)).isTrue();
            assertThat(numbers.take(shown, true)).isFalse();
        }
    }
}
